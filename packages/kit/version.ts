/** The version of the service, as `/openapi.json`, `/api/health` and `--version` tell it. */
export const version = '0.1.0'
