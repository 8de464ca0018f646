/** What a command is handed, and how one is added to the command line: a file that exports a `AddCommand`. */
import type { Command } from 'commander'
import type { DaemonClient } from './daemon-client.ts'

export interface CommandMeans {
  /** Of the address the command line names. */
  daemon(command: Command): DaemonClient
  /** Whether JSON was asked for. */
  json(command: Command): boolean
}

export type AddCommand = (program: Command, means: CommandMeans) => void
