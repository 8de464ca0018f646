/** Discord as a platform. Its packages are large, so they are loaded with the first bot. */
import type { Gateway, Platform } from '../platform.ts'
import type { DiscordDeps, OpenedGateway } from './gateway.ts'

export type { DiscordDeps } from './gateway.ts'

const limits = { text: 2000, caption: 2000 } as const

export const createDiscordPlatform = (deps: DiscordDeps): Platform => ({
  kind: 'discord',
  check: async (token, signal) => {
    const { checkToken } = await import('./check.ts')
    return checkToken(token, signal, { base: deps.base, fetch: deps.network.remote })
  },
  open: (token, bot, listener) =>
    toGateway(
      import('./gateway.ts').then(({ openGateway: openBot }) => openBot(token, bot, listener, deps)),
      deps,
    ),
})

const toGateway = (opening: Promise<OpenedGateway>, { log }: DiscordDeps): Gateway => {
  opening.catch((err) => log.error({ err }, 'failed to open a Discord bot'))
  return {
    limits,
    send: async (...args) => (await opening).send(...args),
    sendFile: async (...args) => (await opening).sendFile(...args),
    unbutton: async (...args) => (await opening).unbutton(...args),
    typing: (target) => void opening.then((gateway) => gateway.typing(target)).catch(() => {}),
    close: async () => (await opening.catch(() => undefined))?.close(),
  }
}
