/** Turns Express's errors about sending a file into refusals. */
import { HttpRefused } from '../refused.ts'

/** Maps an unsatisfiable range and a failed precondition. Returns other errors unchanged. */
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
