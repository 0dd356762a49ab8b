import type { Text } from '#src/domain/text.ts'

/** What sellers promote with (domain B, dist_material). */
export const materialKinds = {
  poster: ['海报', 'Poster'],
  image: ['图片', 'Pictures'],
  video: ['视频', 'Video'],
  copywriting: ['文案', 'Text'],
  article: ['图文', 'Article'],
} as const satisfies Record<string, Text>
export type MaterialKind = keyof typeof materialKinds

export const materialStates = {
  draft: ['草稿', 'Draft'],
  on: ['已发布', 'Published'],
  off: ['已下线', 'Off'],
} as const satisfies Record<string, Text>
export type MaterialState = keyof typeof materialStates
