/** Where things are done that cannot be done in the talk: true on the page and for whoever calls the API. */

const onPage = 'on the page, under Settings'

export const giveMind = `${onPage}, or with POST /api/persona/{id}/update`
export const deletePersona = `${onPage}, or with POST /api/persona/{id}/delete?purge=true`
export const attachFile = 'on the page, or with POST /api/persona/{id}/attach'
export const seeMemories = 'GET /api/persona/{id}/memories'
export const seeTalk = 'GET /api/persona/{id}/conversation'
export const exportLife = 'GET /api/persona/{id}/export'
