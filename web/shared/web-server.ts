/** The server that decisions about reading web pages are stored under, one tool per host. */
export const webServer = 'web'
