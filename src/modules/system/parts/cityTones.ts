import type { CityState } from '#src/areas/place/city.ts'
import type { ToneName } from '#src/kit/show.tsx'

export const cityTones: Record<CityState, ToneName> = {
  preparing: 'plain',
  open: 'good',
  paused: 'warn',
}
