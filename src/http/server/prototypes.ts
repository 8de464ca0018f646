/** Request and response classes that are Express's own from birth. */
import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/**
 * Express gives every request and response another prototype after it was made, and V8 never runs such
 * objects fast (measured against bare node:http: 0.23 of its rate on Node 20, 0.9 with this). So the server
 * makes them of classes that already stand below Express's prototypes, and the app is told that these are its
 * own: its `setPrototypeOf` finds nothing to change. They are there before the app, which is loaded late.
 */
export const createClasses = () => {
  class Incoming extends IncomingMessage {
    declare asksUpgrade: boolean | null

    /**
     * Node hands every request with an Upgrade header to the upgrade listener, once there is one. Clients
     * that offer HTTP/2 so (Java's, curl's `--http2`) would get no reply; only WebSockets are upgraded here,
     * the offer of another protocol is ignored.
     */
    get upgrade(): boolean {
      return (
        this.asksUpgrade === true &&
        (this.method === 'CONNECT' || /^websocket$/i.test(this.headers.upgrade ?? ''))
      )
    }
    set upgrade(asked: boolean | null) {
      this.asksUpgrade = asked
    }
  }
  class Outgoing extends ServerResponse<Incoming> {}
  return { IncomingMessage: Incoming, ServerResponse: Outgoing }
}

export type Classes = ReturnType<typeof createClasses>

/** The app is given its prototypes before it serves anything. */
export const placeBelow = (app: Express, classes: Classes): void => {
  const [request, response] = [classes.IncomingMessage.prototype, classes.ServerResponse.prototype]
  Object.setPrototypeOf(request, app.request)
  Object.setPrototypeOf(response, app.response)
  Object.assign(app, { request, response })
}
