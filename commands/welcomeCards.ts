import type { WelcomeAttachment } from '#src/areas/welcome/attachment.ts'
import { sayingFaults } from '#src/areas/welcome/saying.ts'
import type { Text } from '#src/domain/text.ts'
import { ask } from './command.ts'

/** A row with several attachments, or with one. */
type Held = {
  attachments?: readonly WelcomeAttachment[]
  attachment?: WelcomeAttachment | null
}
type Rows = readonly (Held | undefined)[]
const heldBy = ([row]: Rows): readonly WelcomeAttachment[] =>
  row?.attachments ?? (row?.attachment ? [row.attachment] : [])
type Mini = Extract<WelcomeAttachment, { kind: 'miniprogram' }>
type Link = Extract<WelcomeAttachment, { kind: 'link' }>
const cards = {
  link: ['链接卡片', 'Link'],
  miniprogram: ['小程序卡片', 'Mini program'],
} as const satisfies Record<string, Text>
type Cards = keyof typeof cards
/** Whether such a card is wanted: by the question for several, or the one for one. */
export const hasCard =
  (card: Cards) =>
  (of: { cards?: readonly string[]; card?: string }): boolean =>
    of.card === card || (of.cards?.includes(card) ?? false)
const linkOf = (rows: Rows) => heldBy(rows).find((one): one is Link => one.kind === 'link')
const miniOf = (rows: Rows) => heldBy(rows).find((one): one is Mini => one.kind === 'miniprogram')
/** The questions of a link and of a mini program below a message, for the log's field of them. */
export const cardFields = (field: string) => {
  return {
    link_title: ask.text({
      label: ['链接标题', 'Link: title'],
      max: 60,
      initial: (rows: Rows) => linkOf(rows)?.title,
      shown: hasCard('link'),
      field,
    }),
    link_url: ask.text({
      label: ['链接地址', 'Link: address'],
      max: 500,
      initial: (rows: Rows) => linkOf(rows)?.url ?? 'https://',
      shown: hasCard('link'),
      check: (url: string) =>
        sayingFaults({ text: '', attachments: [{ kind: 'link', title: '', desc: '', url }] })
          .attachments,
      field,
    }),
    link_desc: ask.text({
      label: ['链接描述', 'Link: description'],
      max: 200,
      optional: true,
      initial: (rows: Rows) => linkOf(rows)?.desc,
      shown: hasCard('link'),
      field,
    }),
    mini_title: ask.text({
      label: ['小程序标题', 'Mini program: title'],
      max: 30,
      initial: (rows: Rows) => miniOf(rows)?.title,
      shown: hasCard('miniprogram'),
      field,
    }),
    mini_appid: ask.text({
      label: ['小程序 AppID', 'Mini program: AppID'],
      max: 32,
      initial: (rows: Rows) => miniOf(rows)?.appid,
      shown: hasCard('miniprogram'),
      hint: ['须已关联到企业微信', 'Linked to the corp in WeCom'],
      field,
    }),
    mini_page: ask.text({
      label: ['小程序页面', 'Mini program: page'],
      max: 200,
      initial: (rows: Rows) => miniOf(rows)?.page ?? 'pages/index/index',
      shown: hasCard('miniprogram'),
      field,
    }),
    mini_cover: ask.images({
      label: ['小程序封面', 'Mini program: cover'],
      max: 1,
      initial: (rows: Rows) => {
        const mini = miniOf(rows)
        return mini && [mini.key]
      },
      shown: hasCard('miniprogram'),
      field,
    }),
  }
}
export const cardAsks = {
  cards: ask.choices({
    label: ['卡片', 'Cards'],
    options: cards,
    optional: true,
    initial: (rows: Rows) =>
      (Object.keys(cards) as Cards[]).filter(card => heldBy(rows).some(one => one.kind === card)),
  }),
  ...cardFields('attachments'),
}
export type AskedCards = {
  link_title?: string
  link_url?: string
  link_desc?: string
  mini_title?: string
  mini_appid?: string
  mini_page?: string
  mini_cover?: readonly string[]
}
/** The link that was answered. */
export const linkAsked = (asked: AskedCards): WelcomeAttachment => ({
  kind: 'link',
  title: asked.link_title ?? '',
  desc: asked.link_desc ?? '',
  url: asked.link_url ?? '',
})
/** The mini program that was answered. */
export const miniAsked = (asked: AskedCards): WelcomeAttachment => ({
  kind: 'miniprogram',
  title: asked.mini_title ?? '',
  appid: asked.mini_appid ?? '',
  page: asked.mini_page ?? '',
  key: asked.mini_cover?.[0] ?? '',
})
