/** Collects the licences of all packages that are shipped into one text. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const rule = '='.repeat(80)

/**
 * Returns the licences of the packages that own the bundled `files` (paths relative to `root`, or absolute),
 * of the packages whose code those files contain already, and of the `installed` packages (names) with all
 * their dependencies. Throws if no licence text is known for one of them.
 */
export const collectLicences = (root, files, installedNames) => {
  const paths = [...files].map((file) => (file.startsWith(root) ? file.slice(root.length) : file))
  const folders = new Set(paths.map(getPackageFolder).filter(Boolean))
  for (const name of installedNames) addWithDependencies(root, join(root, 'node_modules', name), folders)
  const packages = [...folders].map((folder) => describePackage(join(root, folder)))
  const containedPackages = [...findContained(root, paths)].map(([name, owners]) =>
    describeContained(root, name, owners),
  )
  return [
    'Daimon ships with the packages below, each under the licence that follows it.\n',
    ...[...packages, ...containedPackages]
      .sort((left, other) => (left.title < other.title ? -1 : 1))
      .map(({ title, facts, text }) => `${rule}\n${title}\n${facts}\n${rule}\n\n${text}\n`),
  ].join('\n')
}

/** Returns `node_modules/…` up to the package that owns the file, also for a package inside another one. */
const getPackageFolder = (path) =>
  /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]

const addWithDependencies = (root, folder, folders) => {
  const relativeFolder = folder.slice(root.length).replace(/^\//, '')
  if (folders.has(relativeFolder)) return
  folders.add(relativeFolder)
  const { dependencies = {}, optionalDependencies = {} } = readManifest(folder)
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const place = [join(folder, 'node_modules', name), join(root, 'node_modules', name)].find(existsSync)
    if (place) addWithDependencies(root, place, folders) // if missing: a binary for another platform
  }
}

/**
 * Finds packages whose code another package's build put into its own files (as the MCP SDK does with ajv).
 * Bundlers name the original path in a comment or in the source map. Returns a map from the package's name to
 * the names of the packages that contain it.
 */
const findContained = (root, paths) => {
  const ownersByName = new Map()
  for (const path of paths) {
    const folder = getPackageFolder(path)
    if (!folder || !existsSync(join(root, path))) continue
    const owner = getPackageName(`${folder}/`)
    for (const source of originalPaths(join(root, path))) {
      const name = getPackageName(source)
      if (!name || name === owner || name === '.pnpm') continue
      ownersByName.set(name, (ownersByName.get(name) ?? new Set()).add(owner))
    }
  }
  return ownersByName
}

const originalPaths = (file) => {
  const text = readFileSync(file, 'utf8')
  const comments = text.match(/(?:\/\/|\/\*)[ \t]*(?:#region )?\S*node_modules\/\S+/g) ?? []
  const map = /\/\/# sourceMappingURL=([^\s:]+)\s*$/.exec(text)?.[1]
  const place = map && join(dirname(file), map)
  return place && existsSync(place)
    ? [...comments, ...JSON.parse(readFileSync(place, 'utf8')).sources.filter(Boolean)]
    : comments
}

const getPackageName = (path) => [...path.matchAll(/node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//g)].at(-1)?.[1]

const readManifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

const describePackage = (folder) => {
  const { name, version, license, homepage, author } = readManifest(folder)
  const holder = typeof author === 'string' ? author : author?.name
  const texts = licenceFiles(folder).map((file) => readFileSync(file, 'utf8').trim())
  const licenceTexts = texts.length > 0 ? texts : [standardText(license, holder ?? `the authors of ${name}`)]
  return {
    title: `${name} ${version}`,
    facts: [license, holder, homepage].filter(Boolean).join(' · '),
    text: [...licenceTexts, ...(sources[name] ?? [])].join('\n\n'),
  }
}

/**
 * Describes a contained package. Its version is unknown, so the licence comes from the installed version, or
 * else from the table below.
 */
const describeContained = (root, name, owners) => {
  const folder = join(root, 'node_modules', name)
  const facts = `part of ${[...owners].sort().join(' and ')}`
  if (existsSync(folder)) {
    const { license, homepage } = readManifest(folder)
    const { text } = describePackage(folder)
    return { title: name, facts: [license, facts, homepage].filter(Boolean).join(' · '), text }
  }
  const words = notInstalled[name]
  if (!words) throw new Error(`${name} is part of ${facts}: add its licence to scripts/licences.mjs`)
  return {
    title: name,
    facts: `${words.license} · ${facts}`,
    text: standardText(words.license, words.holder),
  }
}

/** Returns the licence files of a package and of third-party sources inside it. */
const licenceFiles = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => /^(licen[cs]e|copying|notice)(\.(txt|md|markdown|mit))?$/i.test(name))
    .map((entry) => ({ entry, path: join(entry.parentPath ?? entry.path, entry.name) }))
    .filter(({ entry, path }) => entry.isFile() && !path.slice(folder.length).includes('node_modules'))
    .map(({ path }) => path)
    .sort()

/** Packages that are contained in others and are not installed here. */
const notInstalled = {
  'node-inspect-extracted': { license: 'MIT', holder: 'Node.js contributors' },
  tsup: { license: 'MIT', holder: 'EGOIST' },
}

/** Returns the standard text of a licence, for a package that names it but does not include the text. */
const standardText = (license, holder) => {
  const write = standard[license]
  if (!write) throw new Error(`no text is known for the licence ${license}: add it to scripts/licences.mjs`)
  return write(holder)
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
  'BSD-2-Clause': (holder) => `Copyright (c) ${holder}. All rights reserved.

Redistribution and use in source and binary forms, with or without modification, are permitted provided that the
following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and the
   following disclaimer.
2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the
   following disclaimer in the documentation and/or other materials provided with the distribution.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS \`AS IS' AND ANY EXPRESS OR IMPLIED WARRANTIES,
INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT OWNER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY,
WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`,
}

/** Third-party sources inside a package that no comment, source map or file mentions. */
const sources = {
  // PDF.js includes these as LICENSE_OPENJPEG and LICENSE_QCMS, which unpdf leaves out.
  unpdf: [
    'It contains PDF.js, under this licence:',
    standard['Apache-2.0']('Mozilla Foundation'),
    'PDF.js contains OpenJPEG, under this licence:',
    standard['BSD-2-Clause'](
      '2002-2014 Université catholique de Louvain (UCL), Belgium; Professor Benoit Macq; Antonin Descampe; ' +
        'Francois-Olivier Devaux; Herve Drolon, FreeImage Team; Yannick Verschueren; David Janssens; CNES; ' +
        "CS Systèmes d'Information, France",
    ),
    'PDF.js contains qcms, under this licence:',
    standard.MIT('2009 Mozilla Corporation; 1998-2007 Marti Maria'),
  ],
  // Compiled from Rust. The other crates in it are under the MIT or the Apache licence as well.
  '@matrix-org/matrix-sdk-crypto-wasm': [
    'It contains matrix-sdk-crypto and vodozemac, under the licence above, and Ruma, under this licence:',
    standard.MIT('the Ruma developers'),
  ],
}
