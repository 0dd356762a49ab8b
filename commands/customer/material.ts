import {
  AT_ONCE,
  bannedFault,
  CATEGORY_MOST,
  materialCan,
  materialKinds,
  TEXT_BYTES,
  textFault,
  TITLE_MOST,
  type MaterialBody,
  type MaterialKind,
  type MaterialVerb,
} from '#src/areas/wecomMaterial/material.ts'
import { aside, joinedNames, say, type Lang, type Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  customerMaterials as calls,
  materialRow,
  type MaterialRow,
} from '#src/modules/customer/contract/material.ts'
import { ask, inAll, type Ask, type Told } from '../command.ts'
import { materialPage as at } from '../pages/customer.ts'
import {
  asking,
  exportAction,
  idOf,
  idsOf,
  one,
  pageAction,
  reason,
  rowActions,
} from '../record.ts'
import { cardFields, linkAsked, miniAsked, type AskedCards } from '../welcomeCards.ts'

type Rows = readonly MaterialRow[]
const row = rowActions(at, materialRow)
const can = (verb: MaterialVerb) => (of: MaterialRow) =>
  materialCan(verb, { ...of, media: of.media.state }, unixNow())

type Answers = { kind?: MaterialKind }
const isOf =
  (kind: MaterialKind) =>
  (of: Answers, [held]: Rows): boolean =>
    (held?.kind ?? of.kind) === kind
const keyOf =
  (kind: 'image' | 'video' | 'file') =>
  ([held]: Rows) =>
    held?.body.kind === kind ? [held.body.key] : undefined
const file = (kind: 'image' | 'video' | 'file', label: Text, hint: Text) =>
  ask.images({
    label,
    max: 1,
    ...(kind !== 'image' && { takes: kind }),
    initial: keyOf(kind),
    shown: isOf(kind),
    hint,
    field: 'body',
  })
const cards = cardFields('body')
/** A text that customers read is looked through for what advertising law forbids, as it is typed. */
const lawful = (of: Ask<string>, what: Text): Ask<string> => ({
  ...of,
  check: (typed: string, answers: unknown) =>
    of.check?.(typed, answers) ?? bannedFault(what, typed),
})
const asks = {
  kind: ask.choice({
    label: ['类型', 'Kind'],
    options: materialKinds,
    initial: () => 'image',
    shown: (_: unknown, rows: Rows) => rows.length === 0,
    hint: ['保存后不能改变', 'It keeps its kind'],
    field: 'body',
  }),
  title: lawful(
    ask.text({
      label: ['名称', 'Name'],
      max: TITLE_MOST,
      initial: (rows: Rows) => rows[0]?.title,
      hint: ['视频和文件以此名称发给客户', 'Videos and files reach customers under this name'],
    }),
    ['名称', 'name'],
  ),
  text: lawful(
    ask.text({
      label: ['文字', 'Text'],
      max: TEXT_BYTES,
      lines: 6,
      initial: ([held]: Rows) => (held?.body.kind === 'text' ? held.body.text : undefined),
      shown: isOf('text'),
      check: textFault,
      hint: [
        '最多 4000 字节；可用变量：{客户昵称} {员工姓名} {门店名}',
        'At most 4000 bytes; variables: {客户昵称} customer, {员工姓名} adviser, {门店名} mall',
      ],
      field: 'body',
    }),
    ['文字', 'text'],
  ),
  image: file(
    'image',
    ['图片', 'Picture'],
    ['JPG 或 PNG，不超过 8 MB', 'JPG or PNG, 8 MB at most'],
  ),
  video: file('video', ['视频', 'Video'], ['MP4，不超过 10 MB', 'MP4, 10 MB at most']),
  file: file(
    'file',
    ['文件', 'File'],
    [
      'PDF、Word、Excel、PPT、ZIP，不超过 20 MB',
      'PDF, Word, Excel, PowerPoint, ZIP, 20 MB at most',
    ],
  ),
  ...cards,
  link_title: lawful(cards.link_title, ['链接标题', 'link title']),
  link_desc: lawful(cards.link_desc, ['链接描述', 'link description']),
  mini_title: lawful(cards.mini_title, ['小程序标题', 'mini program title']),
  category: ask.text({
    label: ['分类', 'Category'],
    max: CATEGORY_MOST,
    initial: (rows: Rows) => rows[0]?.category,
    hint: ['如：迎新、活动、会员权益', 'Such as: new friends, events, benefits'],
  }),
  valid_to_at: ask.time({
    label: ['有效期至', 'Valid until'],
    optional: true,
    initial: (rows: Rows) => rows[0]?.valid_to_at ?? undefined,
    hint: ['留空为长期有效；过期后欢迎语跳过它', 'Empty: for good; later welcomes leave it out'],
  }),
}
type Asked = AskedCards & {
  kind?: MaterialKind
  title: string
  text?: string
  image?: readonly string[]
  video?: readonly string[]
  file?: readonly string[]
  category: string
  valid_to_at?: number
}
const bodyOf = (kind: MaterialKind, asked: Asked): MaterialBody => {
  switch (kind) {
    case 'text':
      return { kind, text: asked.text ?? '' }
    case 'link':
      return linkAsked(asked)
    case 'miniprogram':
      return miniAsked(asked)
    default:
      return { kind, key: asked[kind]?.[0] ?? '' }
  }
}
const written = (asked: Asked, kind: MaterialKind) => ({
  title: asked.title,
  category: asked.category,
  valid_to_at: asked.valid_to_at ?? null,
  body: bodyOf(kind, asked),
})
const replacement = {
  label: ['替换为', 'Replace with'] as const,
  find: calls.others,
  given: ([held]: Rows) => ({ id: held!.id }),
  labelOf: (of: { name: string; category: string }, lang: Lang) =>
    `${of.name}${say(aside, lang, { it: of.category })}`,
  by: ['名称或分类', 'name or category'] as const,
  none: [
    '没有可替换的同类素材：须启用且在有效期内',
    'No other of its kind is on and within its time',
  ] as const,
}
const instead = (isAsked: (of: MaterialRow) => boolean, isOptional: boolean) =>
  ask.entity({
    ...(replacement as object as typeof replacement & { given: never }),
    optional: isOptional,
    shown: (_: unknown, [held]: Rows) => held !== undefined && isAsked(held),
    hint: ['所有使用它的消息改用此素材', 'All messages that carry it turn to this one'],
  })
const usedBy = ([held]: Rows): Told | undefined =>
  held && held.uses_n > 0
    ? [
        ['正在被 {n} 处使用：{names}', '{n} messages carry it: {names}'],
        {
          n: held.uses_n,
          names: joinedNames(held.uses.slice(0, 5).map(use => use.name)),
        },
      ]
    : undefined

/** What is done with the library of what messages carry. */
export const materialActions = {
  create: pageAction(calls.create, ['新增素材', 'New material'], at, {
    key: 'c',
    main: true,
    asks,
    input: (_, asked) => written(asked as Asked, (asked as Asked).kind ?? 'image'),
  }),
  edit: row.row(calls.edit, ['编辑素材', 'Edit the material'], {
    key: 'e',
    main: 'plain',
    asks,
    tells: ([held]) =>
      held && held.uses_n > 0
        ? [
            [
              '{n} 处使用将改发新内容，已发送的保留原版本',
              '{n} messages will say the new version; what was sent keeps its own',
            ],
            { n: held.uses_n },
          ]
        : undefined,
    input: (rows, asked) => ({ ...one(rows), ...written(asked as Asked, rows[0]!.kind) }),
  }),
  preview: row.row(calls.preview, ['企微预览', 'Preview'], {
    key: 'p',
    main: 'plain',
    input: rows => idOf(rows),
    takenBack: 'nothing',
    alias: ['手机预览', '客户看到的样子', 'as the phone shows it'],
  }),
  enable: row.enable(calls.enable, { key: 'o', when: can('enable') }),
  refreshMedia: row.row(calls.refreshMedia, ['刷新媒体凭证', 'Upload to WeCom again'], {
    key: 'f',
    when: can('refreshMedia'),
    input: one,
    takenBack: 'again',
    alias: ['重新上传', 'media_id', 'upload again'],
  }),
  replace: row.row(calls.replace, ['替换素材', 'Replace it everywhere'], {
    key: 'u',
    when: can('replace'),
    tells: usedBy,
    asks: { replace_id: instead(() => true, false) },
    input: asking(asked => asked),
  }),
  move: row.row(calls.move, ['移动分类', 'Move to a category'], {
    key: 'm',
    takes: 'rows',
    most: AT_ONCE,
    tells: inAll,
    asks: {
      category: ask.text({
        label: ['分类', 'Category'],
        max: CATEGORY_MOST,
        initial: (rows: Rows) => rows[0]?.category,
      }),
    },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  copy: row.row(calls.copy, ['复制素材', 'Copy the material'], {
    key: 'shift+c',
    input: one,
    takenBack: 'again',
  }),
  disable: row.row(calls.disable, ['停用', 'Disable'], {
    key: 'r',
    danger: true,
    when: can('disable'),
    tells: usedBy,
    asks: { replace_id: instead(of => of.live_n > 0, false), reason },
    input: asking(asked => asked),
    takenBack: 'opposite',
  }),
  del: row.row(calls.del, ['删除素材', 'Delete the material'], {
    key: 'd',
    danger: true,
    when: can('del'),
    tells: usedBy,
    asks: { replace_id: instead(of => of.uses_n > 0, false), reason },
    input: asking(asked => asked),
  }),
  tiles: pageAction('customer.material.tiles', ['切换网格与表格', 'Tiles or rows'], at, {
    key: 'v',
    permit: at.permit,
    takenBack: 'nothing',
    alias: ['网格视图', '缩略图', 'grid view'],
  }),
  export: exportAction(calls.export, ['导出使用数据', 'Export usage data'], at),
}
