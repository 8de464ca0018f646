/** Limits for reading mailboxes. */

const KiB = 1024

/** Max bytes of a mail that are fetched. The rest, mostly attachments, is not read. */
export const maxMailBytes = 512 * KiB
/** Max bytes of one answer of a server. */
export const maxAnswerBytes = 2 * 1024 * KiB
/** Max new mails that one look returns. The others follow with the next one. */
export const maxNewMails = 500
/** Max mails that are looked at after a server numbered its mails again. */
export const maxRenumberedMails = 500
/** Folders that an error names. */
export const maxNamedFolders = 40
/** In ms. */
export const maxConnectMs = 20_000
export const maxCommandMs = 60_000
