import { z } from 'zod'
import { read } from './call.ts'

/**
 * The map service's key, where the installation has one; without it pages draw a plain map of their
 * own.
 */
export const mapService = read('session/map', ['地图服务', 'Map service'], {
  input: z.object({}),
  output: z.object({ key: z.string(), security_code: z.string() }).nullable(),
  touches: [],
  scope: { none: 'The key of the map service' },
  permit: 'signed-in',
})
