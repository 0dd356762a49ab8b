import type { Text } from '#src/domain/text.ts'

/** What stands below the text of a message. Pictures are keys of uploads. */
export type WelcomeAttachment =
  | { kind: 'image'; key: string }
  | { kind: 'link'; title: string; desc: string; url: string }
  | { kind: 'miniprogram'; title: string; appid: string; page: string; key: string }
export type AttachmentKind = WelcomeAttachment['kind']
export const attachmentKinds = {
  image: ['图片', 'Picture'],
  link: ['链接', 'Link'],
  miniprogram: ['小程序', 'Mini program'],
} as const satisfies Record<AttachmentKind, Text>
