/**
 * Definitions of a user service: systemd.service(5), launchd.plist(5), and the Task Scheduler of Windows.
 * Each system is one row.
 */
import { join } from 'node:path'

export interface ServiceMeans {
  readonly node: string
  readonly main: string
  /** Home directory of the user. */
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly log: string
}

export interface Manager {
  file(means: ServiceMeans): { readonly path: string; readonly words: string }
  /** Commands to run in order. */
  install(path: string): readonly (readonly string[])[]
  uninstall(path: string): readonly (readonly string[])[]
  readonly status: readonly string[]
  readonly logs: readonly string[]
}

const name = 'daimon'
const label = 'org.daimon.daemon'

const systemd: Manager = {
  file: ({ node, main, home, environment }) => ({
    path: join(home, '.config', 'systemd', 'user', `${name}.service`),
    words: `[Unit]
Description=Daimon, personas that live on this machine
After=network-online.target
Wants=network-online.target

[Service]
ExecStart=${quote(node)} ${quote(main)}
Environment=UV_THREADPOOL_SIZE=16 MALLOC_TRIM_THRESHOLD_=131072
${Object.entries(environment)
  .map(([key, value]) => `Environment=${quote(`${key}=${value}`)}\n`)
  .join('')}Restart=on-failure
RestartSec=2
RestartPreventExitStatus=2 5
TimeoutStopSec=40
UMask=0077
NoNewPrivileges=yes

[Install]
WantedBy=default.target
`,
  }),
  install: () => [
    ['systemctl', '--user', 'daemon-reload'],
    ['systemctl', '--user', 'enable', '--now', name],
  ],
  uninstall: () => [['systemctl', '--user', 'disable', '--now', name]],
  status: ['systemctl', '--user', 'status', '--no-pager', name],
  logs: ['journalctl', '--user', '--no-pager', '-n', '200', '-u', name],
}

/** Quotes for systemd. A percent sign begins a specifier there, a dollar sign a variable. */
const quote = (words: string): string =>
  `"${words
    .replace(/["\\]/g, (sign) => `\\${sign}`)
    .replaceAll('%', '%%')
    .replaceAll('$', '$$$$')}"`

const launchd: Manager = {
  file: ({ node, main, home, environment, log }) => ({
    path: join(home, 'Library', 'LaunchAgents', `${label}.plist`),
    words: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${label}</string>
  <key>ProgramArguments</key>
  <array><string>${escapeXml(node)}</string><string>${escapeXml(main)}</string></array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>UV_THREADPOOL_SIZE</key><string>16</string>
${Object.entries(environment)
  .map(([key, value]) => `    <key>${key}</key><string>${escapeXml(value ?? '')}</string>\n`)
  .join('')}  </dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>Umask</key><integer>63</integer>
  <key>StandardOutPath</key><string>${escapeXml(log)}</string>
  <key>StandardErrorPath</key><string>${escapeXml(log)}</string>
</dict>
</plist>
`,
  }),
  install: (path) => [['launchctl', 'load', '-w', path]],
  uninstall: (path) => [['launchctl', 'unload', '-w', path]],
  status: ['launchctl', 'list', label],
  logs: ['sh', '-c', 'tail -n 200 "$HOME/.daimon/daemon.log"'],
}

const escapeXml = (words: string): string =>
  words.replace(
    /[<>&"]/g,
    (sign) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' })[sign] ?? sign,
  )

const windows: Manager = {
  file: ({ node, main, home, environment, log }) => ({
    path: join(home, '.daimon', 'daimon-task.cmd'),
    words: `@echo off\r\n${Object.entries(environment)
      .map(([key, value]) => `set "${key}=${plain(value ?? '')}"\r\n`)
      .join('')}"${plain(node)}" "${plain(main)}" >> "${plain(log)}" 2>&1\r\n`,
  }),
  install: (path) => [
    ['schtasks', '/Create', '/F', '/SC', 'ONLOGON', '/TN', name, '/TR', `"${path}"`],
    ['schtasks', '/Run', '/TN', name],
  ],
  uninstall: () => [
    ['schtasks', '/End', '/TN', name],
    ['schtasks', '/Delete', '/F', '/TN', name],
  ],
  status: ['schtasks', '/Query', '/V', '/FO', 'LIST', '/TN', name],
  logs: ['powershell', '-Command', 'Get-Content -Tail 200 "$HOME\\.daimon\\daemon.log"'],
}

/** In a batch file a percent sign begins a variable. */
const plain = (words: string): string => words.replaceAll('%', '%%')

export const managers: Readonly<Partial<Record<NodeJS.Platform, Manager>>> = {
  linux: systemd,
  darwin: launchd,
  win32: windows,
}
