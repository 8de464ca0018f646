/** A mail with every kind of part, and an RTF document with letters in every notation. */

const crlf = (text: string): string => text.replace(/\n/g, '\r\n')

/** HTML with a layout table, an attached PDF and CSV, an embedded picture, a forwarded mail. */
export const partyMail = Buffer.from(
  crlf(`From: =?utf-8?Q?J=C3=B6rg_Wei=C3=9F?= <joerg@example.org>
To: Ada <ada@example.org>, bo@example.org
Subject: =?utf-8?B?RmVzdCBpbiBLw7Zsbg==?=
Date: Thu, 7 May 2026 10:30:00 +0200
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=outer

--outer
Content-Type: multipart/related; boundary=inner

--inner
Content-Type: text/html; charset=windows-1252
Content-Transfer-Encoding: quoted-printable

<meta charset=3D"windows-1252"><style>p{}</style><table><tr><td><p>Hallo =96 wir=
 feiern!</p><p>Kommt alle.</p></td></tr></table><table><tr><td>Tag</td><td>Fr=
eitag</td></tr></table><img src=3D"cid:p">
--inner
Content-Type: image/png
Content-ID: <p>
Content-Transfer-Encoding: base64

${Buffer.from('picture').toString('base64')}
--inner--
--outer
Content-Type: application/pdf; name="plan.pdf"
Content-Disposition: attachment; filename="plan.pdf"
Content-Transfer-Encoding: base64

${Buffer.alloc(3000, 7).toString('base64').replace(/.{76}/g, '$&\n')}
--outer
Content-Type: text/csv; charset=utf-8; name="gifts.csv"
Content-Disposition: attachment; filename="gifts.csv"
Content-Transfer-Encoding: base64

${Buffer.from('Käse;3\n').toString('base64')}
--outer
Content-Type: message/rfc822

From: cat@example.org
Subject: Inner words
Content-Type: text/plain

The nested mail.
--outer--
`),
)

export const contractRtf = Buffer.from(
  String.raw`{\rtf1\ansi\ansicpg1252\deff0\uc1{\fonttbl{\f0\fswiss\fcharset0 Calibri;}{\f1\fcharset204 Arial Cyr;}
{\f2\fcharset128 MS Mincho;}{\f3\fcharset2 Symbol;}}{\colortbl;\red0;}{\*\generator Riched20}{\info{\title Hidden}}
{\header\pard Firma\par}\pard\f0 The contract ends in K\'f6ln on May 3rd.\par Next \u8364? line,\line broken\par
{\f1\'cf\'f0\'e8\'e2\'e5\'f2} and {\f2\'93\'fa\'96\'7b}\par{\pntext\f3\'b7\tab}point\par{\v secret}\uc2\u-10179 ab\u-8704 ab!\par
{\pict\wmetafile8 0102030405
0607}{\pict\bin4 }}{{}{\field{\*\fldinst HYPERLINK "http://example.org"}{\fldrslt a link}}{\footnote small print}\par
\trowd\cellx1\intbl Tag\cell H\'f6he\cell\row\trowd\intbl Mo\cell 2\~m\cell\row\pard 50 \'80 \{net\}\par}`,
)
