import {
  CODE_LEAST,
  FILES_MOST,
  materialKinds,
  type MaterialKind,
} from '#src/areas/material/material.ts'
import { mallPicker } from '#src/contract/malls.ts'
import { yuan } from '#src/domain/money.ts'
import { joinedNames } from '#src/domain/text.ts'
import {
  materialRow,
  MATERIALS_MOST,
  materials as calls,
  type MaterialRow as Row,
} from '#src/modules/distribution/contract/material.ts'
import { ask, inAll, type Told } from '../command.ts'
import { materialPage as at } from '../pages/distribution.ts'
import {
  asking,
  createAction,
  exportAction,
  formOf,
  idOf,
  idsOf,
  one,
  reason,
  rowActions,
} from '../record.ts'

type Rows = readonly Row[]
type Answers = { kind?: MaterialKind }
const isPoster = (answers: Answers) => answers.kind === 'poster'
const hasPictures = (answers: Answers) => answers.kind !== 'video' && answers.kind !== 'copywriting'
const isVideo = (answers: Answers) => answers.kind === 'video'
const pixels = (label: readonly [string, string], key: 'x' | 'y' | 'size') =>
  ask.number({
    label,
    min: key === 'size' ? CODE_LEAST : 0,
    max: 20_000,
    field: 'code_area',
    shown: isPoster,
    initial: (rows: Rows) => rows[0]?.code_area?.[key],
    ...(key === 'size' && {
      hint: [
        `二维码为正方形，边长至少 ${CODE_LEAST} 像素，不能超出图片`,
        `A square of at least ${CODE_LEAST} px, inside the picture`,
      ] as const,
    }),
  })
const form = formOf(
  {
    title: ask.text({ label: ['标题', 'Title'], max: 30 }),
    kind: ask.choice({
      label: ['类型', 'Kind'],
      options: materialKinds,
      initial: rows => rows[0]?.kind ?? 'poster',
    }),
    product_id: ask.entity({
      label: ['商品', 'Product'],
      find: calls.products,
      labelOf: (of: { name: string; price_cents: number }) =>
        `${of.name} · ¥${yuan(of.price_cents)}`,
      named: (rows: Rows) => rows[0]?.product_name,
      optional: true,
      by: ['商品名称', 'title'],
      hint: ['活动素材可不选', 'None for material of a campaign'],
      none: ['没有在分销的商品', 'No products are distributed'],
    }),
    pictures: ask.images({
      label: ['图片', 'Pictures'],
      max: FILES_MOST,
      field: 'files',
      shown: hasPictures,
      initial: (rows: Rows) => (rows[0]?.kind === 'video' ? undefined : rows[0]?.files),
      hint: ['海报只用一张图片', 'A poster has one picture'],
    }),
    video: ask.text({
      label: ['视频地址', 'Address of the video'],
      max: 255,
      field: 'files',
      shown: isVideo,
      initial: (rows: Rows) => (rows[0]?.kind === 'video' ? rows[0].files[0] : undefined),
      hint: ['https:// 开头，视频不超过 100 MB', 'Starts with https://, up to 100 MB'],
    }),
    x: pixels(['二维码左边距（像素）', 'Code from the left (px)'], 'x'),
    y: pixels(['二维码上边距（像素）', 'Code from the top (px)'], 'y'),
    size: pixels(['二维码边长（像素）', 'Size of the code (px)'], 'size'),
    content: ask.text({
      label: ['文案', 'Text'],
      max: 1000,
      lines: 4,
      optional: true,
      hint: [
        '文中的价格与售价不一致时，发布前会提示',
        'You are warned before publishing if a price in it differs from the live price',
      ],
    }),
    mall_ids: ask.entities({
      label: ['适用商场', 'Malls'],
      find: mallPicker,
      key: 'mid',
      max: MATERIALS_MOST,
      labelOf: (of: { name: string }) => of.name,
      optional: true,
      named: ([of]: Rows) =>
        Object.fromEntries((of?.mall_ids ?? []).map((id, n) => [id, of!.mall_names[n]!])),
      hint: ['不选为全部商场', 'Empty: all malls'],
    }),
    start_at: ask.time({ label: ['开始时间', 'From'] }),
    end_at: ask.time({ label: ['结束时间', 'Until'], optional: true }),
  },
  ({ title, kind, product_id, pictures, video, x, y, size, content, mall_ids, ...span }) => {
    const files = kind === 'video' ? [video] : (pictures ?? [])
    return {
      title,
      kind,
      product_id: product_id ?? null,
      files: kind === 'copywriting' ? [] : files,
      code_area: kind === 'poster' ? { x, y, size } : null,
      content: content ?? '',
      mall_ids: mall_ids ?? [],
      start_at: span.start_at!,
      end_at: span.end_at ?? null,
    }
  },
)
/** The prices that a text prints beside the live one. */
const prices = ([row]: Rows): Told | undefined =>
  row === undefined || row.outdated.length === 0
    ? undefined
    : [
        [
          '文案中的价格 ¥{printed} 与售价 ¥{price} 不一致，确认无误才能发布',
          'The text says ¥{printed}, the price is ¥{price}: confirm before publishing',
        ],
        {
          printed: joinedNames(row.outdated.map(sum => yuan(sum))),
          price: yuan(row.price_cents ?? 0),
        },
      ]
const { row, edit } = rowActions<Row>(at, materialRow)
/** What is done with material that sellers promote with. */
export const materialActions = {
  create: createAction(calls.create, ['新增素材', 'New material'], at, form),
  edit: edit(calls.edit, ['编辑素材', 'Edit material'], form, { main: true }),
  publish: row(calls.publish, ['发布', 'Publish'], {
    key: 'p',
    main: true,
    when: of => {
      if (of.status === 'on') return ['素材已发布', 'It is published already']
      return (
        of.on_sale || [
          '商品未上架，素材不能发布',
          'The product is off sale: material can’t be published',
        ]
      )
    },
    tells: prices,
    asks: {
      confirm_price: ask.flag({
        label: ['价格已核对，仍然发布', 'The price is right: publish all the same'],
        initial: () => false,
        hint: [
          '只在文案价格与售价不一致时需要',
          'Only needed when the text’s price differs from the live price',
        ],
      }),
    },
    input: asking(({ confirm_price }) => ({ confirm_price })),
  }),
  offline: row(calls.offline, ['下线', 'Take offline'], {
    key: 'o',
    danger: true,
    when: of => of.status === 'on' || ['素材没有发布，无需下线', 'It is not published'],
    tells: () => [
      [
        '下线后分销员不能再用，已有的效果数据保留',
        'Sellers can no longer use it; its results are kept',
      ],
      {},
    ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  testPoster: row(calls.testPoster, ['预览海报', 'Preview poster'], {
    key: 't',
    main: 'plain',
    when: of =>
      (of.kind === 'poster' && of.code_area !== null) || [
        '只有设好二维码区域的海报可以预览',
        'Only posters with a code area can be previewed',
      ],
    asks: {
      seller: ask.entity({
        label: ['分销员', 'Seller'],
        find: calls.sellers,
        labelOf: (of: { name: string; invite_code: string }) => `${of.name} · ${of.invite_code}`,
        field: 'distributor_id',
        by: ['姓名或邀请码', 'name or invite code'],
        none: ['没有正常的分销员', 'No active seller'],
      }),
    },
    input: (rows, { seller }) => ({ ...idOf(rows), distributor_id: seller }),
  }),
  copy: row(calls.copy, ['复制素材', 'Copy'], { key: 'd', input: one, takenBack: 'again' }),
  sort: row(calls.sort, ['调整排序', 'Change order'], {
    key: 'n',
    asks: {
      sort: ask.number({
        label: ['排序', 'Sort'],
        min: 0,
        max: 999_999,
        initial: (rows: Rows) => rows[0]?.sort,
        hint: ['数值小的排在前面', 'Lower numbers come first'],
      }),
    },
    input: asking(asked => asked),
  }),
  batchOffline: row(calls.batchOffline, ['批量下线', 'Take several off'], {
    key: 'shift+o',
    takes: 'rows',
    most: MATERIALS_MOST,
    danger: true,
    when: of => of.status === 'on' || ['素材没有发布，无需下线', 'It is not published'],
    tells: inAll,
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  export: exportAction(calls.export, ['导出素材效果', 'Export results'], at),
}
