/** A tool server as form fields, and its conversion to the daemon's format. */
import type { Entry } from './tool-servers.ts'

export interface NamedValue {
  name: string
  value: string
}

export interface ServerDraft {
  kind: 'program' | 'address'
  name: string
  command: string
  /** One per line. */
  args: string
  cwd: string
  env: NamedValue[]
  url: string
  headers: NamedValue[]
  client: string
  secret: string
  scope: string
  issuer: string
  port: string
}

/** An empty `name` means a new server. */
export const toDraft = (name = '', entry: Entry = {}): ServerDraft => ({
  kind: entry.url === undefined ? 'program' : 'address',
  name,
  command: entry.command ?? '',
  args: (entry.args ?? []).join('\n'),
  cwd: entry.cwd ?? '',
  env: toNamedValues(entry.env),
  url: entry.url ?? '',
  headers: toNamedValues(entry.headers),
  client: entry.oauth?.client_id ?? '',
  secret: entry.oauth?.client_secret ?? '',
  scope: entry.oauth?.scope ?? '',
  issuer: entry.oauth?.issuer ?? '',
  port: String(entry.oauth?.redirect_port ?? ''),
})

const toNamedValues = (all: Readonly<Record<string, string>> = {}): NamedValue[] =>
  Object.entries(all).map(([name, value]) => ({ name, value }))

/** Omits empty fields. */
export const toEntry = (draft: ServerDraft): Entry =>
  draft.kind === 'program'
    ? {
        command: draft.command.trim(),
        args: draft.args.split('\n').filter((arg) => arg.trim() !== ''),
        ...(draft.cwd.trim() && { cwd: draft.cwd.trim() }),
        env: toRecord(draft.env),
      }
    : {
        url: draft.url.trim(),
        headers: toRecord(draft.headers),
        ...(draft.client.trim() && {
          oauth: {
            client_id: draft.client.trim(),
            ...(draft.secret && { client_secret: draft.secret }),
            ...(draft.scope.trim() && { scope: draft.scope.trim() }),
            ...(draft.issuer.trim() && { issuer: draft.issuer.trim() }),
            ...(draft.port.trim() && { redirect_port: Number(draft.port) }),
          },
        }),
      }

const toRecord = (all: readonly NamedValue[]): Record<string, string> =>
  Object.fromEntries(
    all.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]),
  )
