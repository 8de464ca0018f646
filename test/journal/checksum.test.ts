/** Checksums of LevelDB's files: short buffers are computed in JavaScript, long ones natively. */
import { crc32c } from '@node-rs/crc32'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createChecksum, getChecksum } from '../../journal/leveldb-reader/checksum.ts'

test('is the same for short and long buffers and byte by byte', () => {
  for (const length of [0, 1, 7, 511, 512, 513, 4096]) {
    const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 31) % 251))
    const sum = crc32c(bytes)
    // The mask of LevelDB's log_format.md.
    const expected = (((sum >>> 15) | (sum << 17)) + 0xa282ead8) >>> 0
    assert.is(getChecksum(bytes), expected, `${length} bytes`)
    const addByte = createChecksum()
    assert.is([...bytes].map(addByte).at(-1) ?? expected, expected, `${length} bytes, one by one`)
  }
})

test.run()
