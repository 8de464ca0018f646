/**
 * Test vectors of the age format (C2SP, Community Cryptography Test Vectors; 0BSD, CC0 or Unlicense) for
 * X25519 recipients and headers. The payload is the same in all vectors that do not set their own.
 */

export interface Vector {
  readonly name: string
  readonly expect: 'success' | 'no match' | 'header failure' | 'HMAC failure' | 'payload failure'
  readonly lines: readonly string[]
  /** Hex. */
  readonly payload?: string
}

export const vectorIdentity = 'AGE-SECRET-KEY-1EGTZVFFV20835NWYV6270LXYVK2VKNX2MMDKWYKLMGR48UAWX40Q2P2LM0'
/** Decrypts to `age`. */
const vectorPayload = 'eecf62c7ce91b433274e68d4f2f9134cb74c5bfef7beaa52c8f0bc0e992c1e8331fb66'

const version = 'age-encryption.org/v1'
const stanza = [
  '-> X25519 TEiF0ypqr+bpvcqXNyCVJpL7OuwPdVwPL7KQEbFDOCc',
  'hjabGXwSLQ9c3S6Lw2i+S2Tu2fiwQHHslbBN6B41FLE',
]
const [share, body] = stanza as [string, string]
const mac = '--- WyJp9F/9FOZh7gJdheq2WIJcwHgYc8NIVh3ddwhrcNg'

export const vectors: readonly Vector[] = [
  { name: 'x25519', expect: 'success', lines: [version, ...stanza, mac] },
  {
    name: 'x25519_grease',
    expect: 'success',
    lines: [
      version,
      '-> grease',
      '',
      ...stanza,
      '-> grease',
      '',
      '--- QIfAOEMt1fGOf2FP2m3+TwFQtfy2H3sX3YqUAQRApkM',
    ],
  },
  {
    name: 'x25519_bad_tag',
    expect: 'no match',
    lines: [version, share, body.replace(/LE$/, 'E4'), '--- zOCHpynV0aV7p4R6c+bOapgpq9TtpFgGgYghQ2+PIX8'],
  },
  {
    name: 'x25519_lowercase',
    expect: 'no match',
    lines: [version, share.replace('X', 'x'), body, '--- AYeVZK262kiO9KRKUZNEldKRzXDG1vPMXdWs2fF0iJY'],
  },
  {
    name: 'x25519_extra_argument',
    expect: 'header failure',
    lines: [version, `${share} 1234`, body, '--- l7E0/PQP54HBZYKUu505n1muW7EniDFqMrXgMhFmeiA'],
  },
  {
    name: 'x25519_long_share',
    expect: 'header failure',
    lines: [version, `${share}A`, body, '--- QbEwdWirchS37UUOPh7uVddRiOaWjFwRUpaQ4Q+Z1RE'],
  },
  {
    name: 'x25519_not_canonical_share',
    expect: 'header failure',
    lines: [version, share.replace(/c$/, 'd'), body, '--- ngoKTEDpJF0jTrD7UALMpTyjZC8ONeH6kqCvSYCvm2g'],
  },
  {
    name: 'hmac_bad',
    expect: 'HMAC failure',
    lines: [version, ...stanza, '--- 8McE3ix9R34E/vLrQv3yepsHjo/LXhfs22Ab3UyInmg'],
  },
  {
    name: 'stanza_bad_start',
    expect: 'header failure',
    lines: [version, ...stanza, '-- stanza', '', '--- v5wE8ubPxI1cyQyeAwSHnljMh6DkzvX3iAdKgdYJF8A'],
  },
  {
    name: 'stanza_base64_padding',
    expect: 'header failure',
    lines: [
      version,
      ...stanza,
      '-> stanza',
      'QUFB'.repeat(16),
      'QUE=',
      '--- /B04zJExClyv/5eAl7g3u3ELs0CUtMpq6ujNdFoG15s',
    ],
  },
  {
    name: 'stanza_multiple_short_lines',
    expect: 'header failure',
    lines: [
      version,
      ...stanza,
      '-> stanza',
      'A'.repeat(32),
      'A'.repeat(32),
      '--- bpHzWOhjqfoXEgzIrDk7vomv/TLD+BFpxul2+j6ZZuw',
    ],
  },
  {
    name: 'stanza_missing_final_line',
    expect: 'header failure',
    lines: [
      version,
      ...stanza,
      '-> stanza',
      'A'.repeat(64),
      '--- ORM4jo0+tfqd57vT3+pUVZg/sHurDuHFHhXkG7S+RE4',
    ],
  },
  { name: 'stream_no_nonce', expect: 'header failure', lines: [version, ...stanza, mac], payload: '' },
  {
    name: 'stream_bad_tag',
    expect: 'payload failure',
    lines: [version, ...stanza, mac],
    payload: vectorPayload.replace(/66$/, '46'),
  },
  {
    name: 'version_unsupported',
    expect: 'header failure',
    lines: [`${version}234`, ...stanza, '--- Tv+h4x3tN8O4kAWnf7DbpSkmNlxlyxSVfY7UoPFkhno'],
  },
]

export const toVectorBytes = ({ lines, payload = vectorPayload }: Vector): Buffer =>
  Buffer.concat([Buffer.from(`${lines.join('\n')}\n`), Buffer.from(payload, 'hex')])
