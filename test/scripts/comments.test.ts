/** Reports comments that are longer than a line of code may be. */
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import { equal, is } from 'uvu/assert'

const createText = (columns: number) => 'word '.repeat(columns).slice(0, columns)

// Fails if `comment` does not match `*`, and if lines are counted in bytes.
test('reports comment lines that are too long, and no others', async () => {
  const root = await mkdtemp(join(tmpdir(), 'daimon-comments-'))
  const files = {
    'src/one.ts': [`// ${createText(107)}`, `// ${createText(108)}`, `const one = '${createText(120)}'`].join(
      '\n',
    ),
    'journal/log/two.ts': ['/**', ` * ⏱ ${createText(105)}`, ` * ⏱ ${createText(106)}`, ' */'].join('\n'),
    'src/five.ts': `const five = \`\n*Words* ${createText(120)}\``,
    'web/talk/Three.svelte': `<!-- ${createText(120)} -->`,
    'test/four.test.ts': `// biome-ignore lint/suspicious/noExplicitAny: ${createText(120)}`,
    'web/shared/api-types.ts': `/** ${createText(120)} */`,
  }
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    }
    const { status, stdout } = spawnSync(process.execPath, ['scripts/comments.mjs', root], {
      encoding: 'utf8',
    })
    is(status, 1)
    equal(
      stdout.trim().split('\n'),
      ['journal/log/two.ts:3', 'src/one.ts:2', 'web/talk/Three.svelte:1'].map(
        (place) => `${place} is a comment of more than 110 columns`,
      ),
    )
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})

test.run()
