/** The licences of all packages that are part of what is shipped, as one text. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const rule = '='.repeat(80)

/**
 * `modules`: paths of files that were bundled; `root`: the folder with `package.json`, whose dependencies are
 * installed beside what is shipped, and theirs.
 */
export const licencesOf = (root, modules) => {
  const folders = new Set([...modules].map(folderOf).filter(Boolean))
  for (const folder of installed(root, root)) folders.add(folder)
  const packages = [...folders]
    .map((folder) => described(join(root, folder)))
    .sort((one, other) => (one.title < other.title ? -1 : 1))
  return [
    'Daimon ships with the packages below, each under the licence that follows it.\n',
    ...packages.map(({ title, told, text }) => `${rule}\n${title}\n${told}\n${rule}\n\n${text}\n`),
  ].join('\n')
}

/** `node_modules/…` up to the package, also of one that lies inside another. */
const folderOf = (path) =>
  /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]

/** Dependencies, and those of theirs, where npm has put them. */
const installed = (root, folder, found = new Set()) => {
  const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder)
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const place = [join(folder, 'node_modules', name), join(root, 'node_modules', name)].find((path) =>
      existsSync(path),
    )
    if (!place) continue // of another platform
    const own = place.slice(root.length).replace(/^\//, '')
    if (found.has(own)) continue
    found.add(own)
    installed(root, place, found)
  }
  return found
}

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

const described = (folder) => {
  const { name, version, license, homepage, author } = manifestOf(folder)
  const by = typeof author === 'string' ? author : author?.name
  const texts = licenceFiles(folder).map((file) => readFileSync(file, 'utf8').trim())
  const own = texts.length > 0 ? texts : [withoutFile(license, by ?? `the authors of ${name}`)]
  return {
    title: `${name} ${version}`,
    told: [license, by, homepage].filter(Boolean).join(' · '),
    text: [...own, ...(inside[name] ?? [])].join('\n\n'),
  }
}

/** Its own and those of the sources of others that lie in it. */
const licenceFiles = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => /^(licen[cs]e|copying|notice)(\.(txt|md|markdown))?$/i.test(name))
    .map((entry) => ({ entry, path: join(entry.parentPath ?? entry.path, entry.name) }))
    .filter(({ entry, path }) => entry.isFile() && !path.slice(folder.length).includes('node_modules'))
    .map(({ path }) => path)
    .sort()

/** What packages are made of without saying so in a file. */
const inside = {
  unpdf: ['It contains PDF.js (Apache-2.0), copyright Mozilla Foundation.'],
}

/** Some packages name their licence and do not bring its words. */
const withoutFile = (license, holder) => {
  const words = standard[license]
  if (!words) throw new Error(`no words are known for the licence ${license}`)
  return words(holder)
}

const standard = {
  MIT: (holder) => `Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation
the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and
to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of
the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
IN THE SOFTWARE.`,
  'Apache-2.0': (holder) => `Copyright ${holder}

Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance
with the License. It stands in full with other packages of this list, and at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software distributed under the License is distributed
on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the License for
the specific language governing permissions and limitations under the License.`,
}
