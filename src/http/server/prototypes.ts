/** Creates request and response classes that already inherit from Express's prototypes. */
import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/**
 * Express sets another prototype on every request and response after it was created, and V8 never runs such
 * objects fast. Measured against bare node:http: 0.23 of its rate on Node 20, 0.9 with these classes. The
 * server therefore creates them from classes that already inherit from Express's prototypes, and the app uses
 * these classes as its own, so that its `setPrototypeOf` changes nothing. The classes exist before the app,
 * which is loaded late.
 */
export const createPrototypes = () => {
  class Incoming extends IncomingMessage {
    declare asksUpgrade: boolean | null

    /**
     * Node passes every request with an Upgrade header to the upgrade listener, if there is one. Clients that
     * offer HTTP/2 this way (Java's, curl's `--http2`) would get no reply. Only WebSockets are upgraded here.
     * Offers of other protocols are ignored.
     */
    get upgrade(): boolean {
      return (
        this.asksUpgrade === true &&
        (this.method === 'CONNECT' || /^websocket$/i.test(this.headers.upgrade ?? ''))
      )
    }
    set upgrade(isUpgrade: boolean | null) {
      this.asksUpgrade = isUpgrade
    }
  }
  class Outgoing extends ServerResponse<Incoming> {}
  return { IncomingMessage: Incoming, ServerResponse: Outgoing }
}

export type Classes = ReturnType<typeof createPrototypes>

/** Gives the app its prototypes before it serves anything. */
export const placeBelow = (app: Express, classes: Classes): void => {
  const request = classes.IncomingMessage.prototype
  const response = classes.ServerResponse.prototype
  Object.setPrototypeOf(request, app.request)
  Object.setPrototypeOf(response, app.response)
  Object.assign(app, { request, response })
}
