/** What Express refuses when it sends a file, as refusals of ours. */
import { HttpRefused } from '../schema/refused.ts'

/**
 * A range that the file does not have, a condition that does not hold; every other error stays what it is.
 */
export const fileRefusal = <E>(error: E): E | HttpRefused => {
  if (!(error instanceof Error) || !('status' in error)) return error
  if (error.status === 416) return new HttpRefused({ code: 'range_unsatisfiable', size: sizeIn(error) })
  if (error.status === 412) return new HttpRefused({ code: 'precondition_failed' })
  return error
}

const sizeIn = ({ headers }: Error & { headers?: unknown }): string => {
  const size =
    typeof headers === 'object' && headers !== null && 'Content-Range' in headers
      ? headers['Content-Range']
      : undefined
  return typeof size === 'string' ? size : 'bytes */*'
}
