/** Places for actions that a conversation cannot do. They hold for users of the page and of the API. */

const onPage = 'on the page, under Settings'

export const giveMind = 'on the page, with the button “Get a real mind” or under Settings'
export const changeName = onPage
export const deletePersona = `${onPage}, or with POST /api/persona/{id}/delete?purge=true`
export const attachFile = 'on the page, or with POST /api/persona/{id}/attach'
export const seeMemories = 'GET /api/persona/{id}/memories'
export const seeTalk = 'GET /api/persona/{id}/conversation'
export const exportLife = 'GET /api/persona/{id}/export'
