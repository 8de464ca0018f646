/** The server that decisions about reading web pages are stored under, one tool per host. */
export const webServer = 'web'
/** The server that decisions about searching the web are stored under, one tool per search provider. */
export const searchServer = 'web search'
