/**
 * Azure OpenAI, which has its own addresses and its own key header:
 * learn.microsoft.com/azure/ai-foundry/openai/reference
 */

const hosts = /\.(?:openai|cognitiveservices|services\.ai)\.azure\.(?:com|us|cn)$/
const deployment = /^(.*\/openai\/deployments\/[^/]+)/

/** Gateways in front of Azure keep the path of a deployment. */
export const isAzure = ({ hostname, pathname }: URL): boolean =>
  hosts.test(hostname) || deployment.test(pathname)

/** The latest stable version. Deployments require one. */
const usualVersion = '2024-10-21'

/** `address` has no query. */
export const azureBase = (address: string): string => {
  const { origin, pathname } = new URL(address)
  const [, path] = deployment.exec(pathname) ?? []
  if (path !== undefined) return `${origin}${path}`
  return /\/openai$/.test(pathname) ? `${address}/v1` : `${origin}/openai/v1`
}

export const azureQuery = ({ pathname, searchParams }: URL): URLSearchParams => {
  const query = new URLSearchParams(searchParams)
  if (deployment.test(pathname) && !query.has('api-version')) query.set('api-version', usualVersion)
  return query
}

/** Moves the key into Azure's own header. */
export const moveKey = (headers: Headers): void => {
  const [, key] = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '') ?? []
  if (key === undefined) return
  headers.delete('authorization')
  headers.set('api-key', key)
}
