/**
 * Child processes and threads of the daemon: the constant with the path, the source, and the file in `dist/`.
 */
export const processes = [
  { in: 'packages/documents/document-reader.ts', out: 'document-reader', name: 'DOCUMENT_READER' },
  { in: 'packages/history-import/history-reader.ts', out: 'history-reader', name: 'HISTORY_READER' },
  { in: 'packages/web-reading/page-parser.ts', out: 'page-parser', name: 'PAGE_PARSER' },
  { in: 'packages/calendars/calendar-parser.ts', out: 'calendar-parser', name: 'CALENDAR_PARSER' },
  { in: 'packages/local-runtime/model-runner.ts', out: 'model-runner', name: 'MODEL_RUNNER' },
  { in: 'src/diary/keeper.ts', out: 'diary-keeper', name: 'DIARY_KEEPER' },
  { in: 'journal/log/chain-thread.ts', out: 'chain-thread', name: 'CHAIN_THREAD' },
  { in: 'journal/leveldb/table-thread.ts', out: 'table-thread', name: 'TABLE_THREAD' },
]
