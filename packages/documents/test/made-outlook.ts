/** Builds mails in the format of Outlook (MS-OXMSG). */
import { compoundFile, type Storage } from './made-compound.ts'

const types = { integer: 3, boolean: 0x0b, time: 0x40, text: 0x1f, ansi: 0x1e, binary: 0x102 }

type Value = readonly [id: number, type: keyof typeof types, value: number | string | Buffer | Date]

/** `headerSize`: 32 for a mail, 24 for an attached mail, 8 for a recipient or an attachment. */
export const properties = (headerSize: number, values: readonly Value[]): Storage => {
  const fixedEntries: Buffer[] = [Buffer.alloc(headerSize)]
  const streams: [string, Buffer][] = []
  for (const [id, type, value] of values) {
    const tag = id * 0x10000 + types[type]
    const entry = Buffer.alloc(16)
    entry.writeUInt32LE(tag, 0)
    entry.writeUInt32LE(6, 4)
    if (value instanceof Date) entry.writeBigUInt64LE((BigInt(+value) + 11_644_473_600_000n) * 10_000n, 8)
    else if (typeof value === 'number') entry.writeUInt32LE(value, 8)
    else {
      const bytes =
        typeof value === 'string' ? Buffer.from(value, type === 'text' ? 'utf16le' : 'latin1') : value
      entry.writeUInt32LE(bytes.length, 8)
      streams.push([`__substg1.0_${tag.toString(16).toUpperCase().padStart(8, '0')}`, bytes])
    }
    fixedEntries.push(entry)
  }
  return { '__properties_version1.0': Buffer.concat(fixedEntries), ...Object.fromEntries(streams) }
}

const recipient = (name: string, address: string, kind: number): Storage =>
  properties(8, [
    [0x3001, 'text', name],
    [0x3003, 'text', `/o=org/cn=Recipients/cn=${name}`],
    [0x39fe, 'text', address],
    [0x0c15, 'integer', kind],
  ])

/** An HTML mail with an embedded picture, an attached PDF, a text and an attached mail. */
export const invitationMail = compoundFile({
  '__nameid_version1.0': { '__substg1.0_00020102': Buffer.alloc(16) },
  ...properties(32, [
    [0x0037, 'text', 'Fest in Köln'],
    [0x0042, 'text', 'Jörg Weiß'],
    [0x0065, 'text', '/o=org/cn=Recipients/cn=joerg'],
    [0x5d02, 'text', 'joerg@example.org'],
    [0x0039, 'time', new Date('2026-05-07T08:30:00Z')],
    [0x1000, 'text', 'The plain words.\r\n'],
    [
      0x1013,
      'binary',
      Buffer.from(
        `<html><p>Wir feiern gro\xdf \x96 kommt!</p><img src="cid:p@x">${'<br>'.repeat(1500)}<p>Bis dann</p></html>`,
        'latin1',
      ),
    ],
    [0x3fde, 'integer', 1252],
  ]),
  '__recip_version1.0_#00000000': recipient('Ada', 'ada@example.org', 1),
  '__recip_version1.0_#00000001': recipient('bo@example.org', 'bo@example.org', 2),
  '__recip_version1.0_#00000002': recipient('Eve', 'eve@example.org', 3),
  '__attach_version1.0_#00000000': properties(8, [
    [0x3707, 'text', 'plan.pdf'],
    [0x370e, 'text', 'application/pdf'],
    [0x3701, 'binary', Buffer.alloc(5000, 7)],
  ]),
  '__attach_version1.0_#00000001': properties(8, [
    [0x3707, 'text', 'image001.png'],
    [0x3712, 'text', 'p@x'],
    [0x3701, 'binary', Buffer.from('picture')],
  ]),
  '__attach_version1.0_#00000002': properties(8, [
    [0x3704, 'text', 'gifts.csv'],
    [0x3701, 'binary', Buffer.from('Käse;3\n')],
  ]),
  '__attach_version1.0_#00000003': {
    ...properties(8, [[0x3001, 'text', 'The other mail']]),
    '__substg1.0_3701000D': {
      ...properties(24, [
        [0x0037, 'text', 'Inner words'],
        [0x1000, 'text', 'The nested mail.'],
      ]),
      '__recip_version1.0_#00000000': recipient('Cat', 'cat@example.org', 1),
    },
  },
})

/** Example of MS-OXRTFCP 4.1. */
export const helloRtf = Buffer.from(
  '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
  'hex',
)
