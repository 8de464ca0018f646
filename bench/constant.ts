/** An Express server with our settings that always sends the bytes of one file: the baseline for the list. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { createPrototypes, placeBelow } from '../src/http/server/prototypes.ts'

const bytes = readFileSync(process.argv[2] ?? '')
const app = express()
app.disable('x-powered-by')
app.get('/', (_request, response) => {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
  })
  response.end(bytes)
})
const classes = createPrototypes()
placeBelow(app, classes)
const server = createServer(classes, app)
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
