// A server that sends so many bytes to whoever asks, and does nothing else. Started with
// `[port, bytes]`; says `ready` when it listens.
import { createServer } from 'node:http'

const [port, bytes] = process.argv.slice(2).map(Number)
const body = Buffer.alloc(bytes, ' ')
createServer((_, answer) => answer.setHeader('content-type', 'application/json').end(body)).listen(
  port,
  '127.0.0.1',
  () => console.log('ready'),
)
