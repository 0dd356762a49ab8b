import { isIp, plainIp } from '#src/areas/log/logs.ts'
import type { Text } from '#src/domain/text.ts'

export const IPS_MOST = 20
const NETWORK_LEAST = { v4: 16, v6: 48 } as const
/** An address, or a network that is not too wide: `203.0.113.0/24`. */
const isPlace = (place: string): boolean => {
  const [ip = '', bits, ...more] = place.split('/')
  if (!isIp(ip) || more.length > 0) return false
  if (bits === undefined) return true
  const [least, most] = ip.includes(':') ? [NETWORK_LEAST.v6, 128] : [NETWORK_LEAST.v4, 32]
  return /^\d{1,3}$/.test(bits) && Number(bits) >= least && Number(bits) <= most
}
/** What was typed as a list: one a line, or with commas, semicolons or spaces between. */
export const listTyped = (typed: string): string[] => [
  ...new Set(
    typed
      .normalize('NFKC')
      .split(/[\s,;、]+/)
      .filter(Boolean),
  ),
]
/** Addresses and networks as they are kept, each once. */
export const placesOf = (typed: readonly string[]): string[] => [...new Set(typed.map(plainIp))]
/** What is wrong with the addresses that a partner calls from. */
export const placesFault = (places: readonly string[]): Text | undefined => {
  const wrong = places.find(place => !isPlace(place))
  if (wrong !== undefined)
    return [
      `“${wrong}”不是 IP 地址或网段（IPv4 至少 /${NETWORK_LEAST.v4}，如 203.0.113.0/24）`,
      `“${wrong}” is no address or network such as 203.0.113.0/24`,
    ]
  return places.length > IPS_MOST
    ? [`最多 ${IPS_MOST} 个地址`, `At most ${IPS_MOST} addresses`]
    : undefined
}
