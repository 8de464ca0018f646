/** Version of the daemon, as reported by `/openapi.json`, `/api/health` and `--version`. */
export const version = '0.1.0'
