import type { Text } from '#src/domain/text.ts'

/** Layouts that a code is printed in. */
export const posterKinds = {
  card: ['桌面台卡', 'Table card'],
  poster: ['竖版海报', 'Poster'],
  receipt: ['收银小票', 'Receipt'],
} as const satisfies Record<string, Text>
export type PosterKind = keyof typeof posterKinds
/** Width and height of each, in pixels, and how wide its code is. */
export const posterSizes: Readonly<
  Record<PosterKind, { width: number; height: number; code: number }>
> = {
  card: { width: 900, height: 600, code: 360 },
  poster: { width: 750, height: 1334, code: 480 },
  receipt: { width: 384, height: 520, code: 300 },
}
