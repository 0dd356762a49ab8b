import type { Server } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'

/** How long a connection may take over each step, and how many an address may hold. */
export type ConnectionLimits = {
  /** To send a request's head; a connection that sends nothing has no longer. */
  headers_ms: number
  /** To send a whole request. */
  request_ms: number
  /** Without a byte either way while a request is open: a body that stops, an answer not read. */
  idle_ms: number
  /** Between two requests; longer than the 60 s after which usual proxies close theirs. */
  kept_ms: number
  /** How often the first two are looked at. */
  check_ms: number
  /** Connections of one address. A whole office may sit behind one. */
  each: number
}
export const usualConnections: ConnectionLimits = {
  headers_ms: 10_000,
  request_ms: 15_000,
  idle_ms: 45_000,
  kept_ms: 65_000,
  check_ms: 5000,
  each: 1000,
}

const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}
/** Says of an address whether it is one of these: addresses, networks, or names as proxies' are set. */
const among = (places: readonly string[]): ((address: string) => boolean) => {
  const list = new BlockList()
  for (const place of places.flatMap(one => named[one] ?? [one])) {
    const [address = '', bits] = place.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(address))
      list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return address => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
const plain = (address: string | undefined) => (address ?? '').replace(/^::ffff:/, '')

/**
 * Closes at once what an address opens beyond `each` connections. A trusted proxy speaks for many
 * addresses and is not counted.
 */
export const limitConnections = (
  server: Server,
  { each, trusted }: { each: number; trusted: readonly string[] },
): void => {
  const isProxy = among(trusted)
  const held = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = plain(socket.remoteAddress)
    if (!address || isProxy(address)) return
    const n = (held.get(address) ?? 0) + 1
    held.set(address, n)
    socket.once('close', () => {
      const left = held.get(address)! - 1
      if (left > 0) held.set(address, left)
      else held.delete(address)
    })
    if (n > each) socket.destroy()
  })
}
