/**
 * Writes documents to `files/` that are built part by part, for features that the others lack: `node --import
 * tsx packages/documents/test/make-files.ts`.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { contractRtf, partyMail } from './made-mails.ts'
import { ledgerOds, letterOdt, talkOdp } from './made-odf.ts'
import { ledgerXlsx, letterDocx, talkPptx } from './made-office.ts'
import { formPdf, novelEpub } from './made-others.ts'
import { invitationMail } from './made-outlook.ts'
import { zip } from './zip.ts'

const files = {
  'letter.docx': zip(letterDocx),
  'ledger.xlsx': zip(ledgerXlsx),
  'talk.pptx': zip(talkPptx),
  'letter.odt': zip(letterOdt),
  'ledger.ods': zip(ledgerOds),
  'talk.odp': zip(talkOdp),
  'novel.epub': zip(novelEpub),
  'form.pdf': formPdf,
  'party.eml': partyMail,
  'contract.rtf': contractRtf,
  'invitation.msg': invitationMail,
  'note.txt': Buffer.from('\ufeffGrüße aus Köln,\r\n\r\nübermorgen um 9.\r\n'),
  'note-utf16.txt': Buffer.from('\ufeffGrüße aus Köln,\r\n\r\nübermorgen um 9.\r\n', 'utf16le'),
}

for (const [name, bytes] of Object.entries(files))
  writeFileSync(fileURLToPath(new URL(`files/${name}`, import.meta.url)), bytes)
