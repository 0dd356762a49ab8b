import {
  materialKinds,
  type MaterialBody,
  type MaterialKind,
} from '#src/areas/wecomMaterial/material.ts'
import { pieceFault } from '#src/areas/wecomMaterial/piece.ts'
import type { InlinePiece, WelcomeAttachment } from '#src/areas/welcome/attachment.ts'
import { ATTACHMENTS_MOST } from '#src/areas/welcome/welcome.ts'
import type { Read } from '#src/contract/call.ts'
import { aside, clause, say, type Lang, type Text } from '#src/domain/text.ts'
import { ask } from './command.ts'

type Piece = WelcomeAttachment | MaterialBody
/** A row with several attachments, with one, or one that is a material. */
type Held = {
  attachments?: readonly WelcomeAttachment[]
  attachment?: WelcomeAttachment | null
  body?: MaterialBody
  materials?: readonly { id: number; title: string }[]
}
type Rows = readonly (Held | undefined)[]
const heldBy = ([row]: Rows): readonly Piece[] => {
  const one = row?.attachment ?? row?.body
  return row?.attachments ?? (one ? [one] : [])
}
type Mini = Extract<Piece, { kind: 'miniprogram' }>
type Link = Extract<Piece, { kind: 'link' }>
const cards = {
  link: ['链接卡片', 'Link'],
  miniprogram: ['小程序卡片', 'Mini program'],
} as const satisfies Record<string, Text>
type Cards = keyof typeof cards
type AskedKind = { cards?: readonly string[]; card?: string; kind?: string }
/** Whether such a card is wanted: by the question for several, or one of those for one. */
export const hasCard =
  (card: Cards) =>
  (of: AskedKind, [row]: Rows = []): boolean =>
    (row?.body?.kind ?? of.kind ?? of.card) === card || (of.cards?.includes(card) ?? false)
/** What WeCom would not take of a text of a card. */
const fits =
  <K extends 'title' | 'desc' | 'url'>(key: K) =>
  (typed: string) =>
    pieceFault({
      kind: 'link',
      title: '',
      desc: '',
      url: 'https://a.cn',
      [key]: typed,
    } as Link)?.[1]
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
      check: fits('title'),
      field,
    }),
    link_url: ask.text({
      label: ['链接地址', 'Link: address'],
      max: 500,
      initial: (rows: Rows) => linkOf(rows)?.url ?? 'https://',
      shown: hasCard('link'),
      check: fits('url'),
      field,
    }),
    link_desc: ask.text({
      label: ['链接描述', 'Link: description'],
      max: 200,
      optional: true,
      initial: (rows: Rows) => linkOf(rows)?.desc,
      shown: hasCard('link'),
      check: fits('desc'),
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
      hint: ['须已关联到企业微信', 'Must be linked to WeCom'],
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
/** How a material is named where one is chosen. */
const materialNamed = (
  of: { name: string; kind: MaterialKind; category: string },
  lang: Lang,
): string =>
  `${of.name}${say(aside, lang, { it: `${say(materialKinds[of.kind], lang)}${say(clause, lang)}${of.category}` })}`
const heldMaterials = ([row]: Rows): Record<number, string> =>
  Object.fromEntries((row?.materials ?? []).map(one => [one.id, one.title]))
/** The question of materials of the library, for a message that carries several. */
export const materialsAsk = (find: Read) =>
  ask.entities({
    label: ['素材', 'Materials'],
    max: ATTACHMENTS_MOST,
    find,
    labelOf: materialNamed,
    by: ['名称或分类', 'name or category'],
    optional: true,
    initial: (rows: Rows) => heldBy(rows).flatMap(one => (one.kind === 'material' ? [one.id] : [])),
    named: heldMaterials,
    none: ['没有启用中的素材', 'No material is enabled'],
    hint: [
      '文字素材接在文字之后，其余作为附件；发送时取最新版本',
      'Text materials follow the text, others are attached; the latest version is sent',
    ],
    field: 'attachments',
  })
/** The question of what stands below a text to many. */
export const massMaterialsAsk = (find: Read) =>
  ask.entities({
    label: ['附带素材', 'Attach materials'],
    max: ATTACHMENTS_MOST,
    find,
    labelOf: materialNamed,
    by: ['名称或分类', 'name or category'],
    optional: true,
    none: ['没有启用中的素材', 'No material is enabled'],
    hint: [
      '素材停用、过期或刷新失败时暂不发送',
      'Paused while any of these materials is off, expired or failed to refresh',
    ],
  })
/** The question of one material, for a message that carries one card. */
export const materialAsk = (find: Read, shown?: (of: AskedKind) => boolean) =>
  ask.entity({
    label: ['素材', 'Materials'],
    find,
    labelOf: materialNamed,
    by: ['名称或分类', 'name or category'],
    initial: (rows: Rows) =>
      heldBy(rows).flatMap(one => (one.kind === 'material' ? [one.id] : []))[0],
    named: ([row]) => (row as Held | undefined)?.materials?.[0]?.title,
    none: ['没有启用中的素材', 'No material is enabled'],
    ...(shown && { shown }),
    field: 'attachment',
  })
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
export const linkAsked = (asked: AskedCards): InlinePiece => ({
  kind: 'link',
  title: asked.link_title ?? '',
  desc: asked.link_desc ?? '',
  url: asked.link_url ?? '',
})
/** The mini program that was answered. */
export const miniAsked = (asked: AskedCards): InlinePiece => ({
  kind: 'miniprogram',
  title: asked.mini_title ?? '',
  appid: asked.mini_appid ?? '',
  page: asked.mini_page ?? '',
  key: asked.mini_cover?.[0] ?? '',
})
