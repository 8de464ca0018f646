/** The context of a command, and the type of the functions that add commands to the command line. */
import type { Command } from 'commander'
import type { DaemonClient } from './daemon-client.ts'

export interface CommandMeans {
  /** Returns the client of the daemon that the command line names. */
  daemon(command: Command): DaemonClient
  /** Returns true if JSON was requested. */
  isJson(command: Command): boolean
}

export type AddCommand = (program: Command, means: CommandMeans) => void
