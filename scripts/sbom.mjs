/**
 * Prints the list of all packages that are shipped, bundled or not, as CycloneDX. npm 11 with `--omit=dev`
 * leaves out each package that a development package needs, too, so npm gets a lock without those.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const readJson = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'))

const withoutTools = ({ devDependencies: _, scripts: __, private: ___, ...manifest }) => manifest

const main = () => {
  const manifest = withoutTools(readJson('package.json'))
  const lock = readJson('package-lock.json')
  const packages = Object.fromEntries(
    Object.entries(lock.packages)
      .filter(([, { dev }]) => !dev)
      .map(([path, entry]) => [path, path === '' ? withoutTools(entry) : entry]),
  )
  const parent = mkdtempSync(join(tmpdir(), 'sbom-'))
  // npm takes the name of the folder.
  const folder = join(parent, manifest.name)
  try {
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }))
    const options = ['--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
    const shell = process.platform === 'win32'
    process.stdout.write(
      execFileSync('npm', ['sbom', ...options], { cwd: folder, maxBuffer: 2 ** 26, shell }),
    )
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
}

main()
