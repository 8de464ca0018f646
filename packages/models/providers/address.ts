/** The address of a model, as requests and messages use it. */
import type { Provider } from '../../../facts/fact-values.ts'
import type { Fetch } from '../../kit/network/network.ts'

/** `openai` is OpenAI itself. `compatible` is any other server with its protocol. */
export type Service = Provider | 'compatible'

export type ChatWay = 'chat' | 'responses'

/** The API of one model at one address. */
export interface KnownWay {
  /** Undefined: try the usual one of the service first. */
  current: ChatWay | undefined
}

export interface Address {
  readonly service: Service
  /** The name in sentences. */
  readonly title: string
  /** The web page on which users get a key. */
  readonly keyPage: string | null
  /** With the version path, without a trailing slash and credentials. Paths are appended. */
  readonly base: string
  /** The same for display. A key inside the address is masked. */
  readonly at: string
  /** Null: no key is sent. Libraries that require one get a placeholder, which `fetch` removes. */
  readonly key: string | null
  /** Texts to mask in quoted messages. */
  readonly secrets: readonly string[]
  /** True if it is on this machine or in the daemon. */
  readonly near: boolean
  /** The API that this model uses. */
  readonly way: KnownWay | undefined
  /**
   * Bounded, without redirects. Sends the name and password of the address, and removes placeholder
   * credentials.
   */
  readonly fetch: Fetch
}
