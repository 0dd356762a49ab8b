import { cardCan, type CardVerb } from '#src/areas/ecard/card.ts'
import { codes } from '#src/modules/ecard/contract/code.ts'
import { cardRow, cards as calls, type CardRow } from '#src/modules/ecard/contract/list.ts'
import { inAll, to, type Told } from '../command.ts'
import { cardAdd, cardCodes, cardEdit, cardFaces, cardList, cardPreview } from '../pages/ecard.ts'
import {
  arrangeAction,
  asking,
  exportAction,
  idsOf,
  one,
  pageAction,
  reason,
  rowActions,
  type Arranged,
} from '../record.ts'

const row = rowActions(cardList, cardRow)
const can = (verb: CardVerb) => (of: CardRow) => cardCan(verb, of)
/** What becomes of cards that were sold, before theirs goes off sale. */
const staysGood = (rows: readonly CardRow[]): Told | undefined => {
  const sold = rows.reduce((sum, of) => sum + of.sold, 0)
  return sold > 0
    ? [['已售出的 {n} 张仍可使用', 'The {n} already sold stay usable'], { n: sold }]
    : inAll(rows)
}

/** What is done with electronic cards. */
export const cardActions = {
  create: pageAction('ecard.list.create', ['新增电子卡', 'New e-card'], cardList, {
    key: 'c',
    main: true,
    permit: cardAdd.permit,
    to: () => cardAdd.path,
  }),
  edit: row.row('ecard.list.open', ['编辑', 'Edit'], {
    key: 'e',
    main: 'plain',
    permit: cardEdit.permit,
    to: ([of]) => to(cardEdit, { id: of!.id }),
  }),
  faces: row.row('ecard.list.faces', ['面值规格', 'Face values'], {
    key: 'f',
    main: 'plain',
    permit: cardFaces.permit,
    to: ([of]) => to(cardFaces, { card_id: of!.id }),
  }),
  importCodes: row.row('ecard.list.importCodes', ['导入卡密', 'Import codes'], {
    key: 'i',
    permit: codes.importCodes.permit,
    when: of =>
      of.source === 'import' || [
        '只有外部导入的卡可以导入卡密',
        'Only for cards with imported codes',
      ],
    to: ([of]) => to(cardCodes, { card_id: of!.id, import: 1 }),
  }),
  preview: row.row('ecard.list.openPreview', ['预览', 'Preview'], {
    key: 'v',
    permit: cardPreview.permit,
    to: ([of]) => to(cardPreview, { id: of!.id }),
  }),
  online: row.row(calls.online, ['上架', 'Put on sale'], {
    key: 'o',
    main: 'plain',
    when: can('online'),
    input: one,
    takenBack: 'opposite',
  }),
  offline: row.row(calls.offline, ['下架', 'Take off sale'], {
    key: 'p',
    main: 'plain',
    danger: true,
    when: can('offline'),
    tells: staysGood,
    asks: { reason },
    input: asking(asked => asked),
  }),
  copy: row.row(calls.copy, ['复制电子卡', 'Copy'], {
    key: 'shift+c',
    input: one,
    takenBack: 'again',
  }),
  recommend: row.row(calls.setRecommend, ['设为推荐', 'Recommend'], {
    key: 'r',
    when: of => (of.recommended ? ['已是推荐', 'Already recommended'] : cardCan('recommend', of)),
    input: one,
    takenBack: 'opposite',
  }),
  unrecommend: row.row(calls.cancelRecommend, ['取消推荐', 'Remove from recommended'], {
    key: 'shift+r',
    when: of => of.recommended || ['不是推荐', 'Not recommended'],
    input: one,
    takenBack: 'opposite',
  }),
  sort: arrangeAction<Arranged, {}>(calls.sort, ['调整排序', 'Arrange'], cardList, () => ({})),
  batchOffline: row.row(calls.batchOffline, ['批量下架', 'Take selected off sale'], {
    key: 'shift+b',
    takes: 'rows',
    most: 100,
    danger: true,
    when: can('offline'),
    tells: staysGood,
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  del: row.del(calls.del, ['删除电子卡', 'Delete e-card'], { when: can('delete') }),
  export: exportAction(calls.export, ['导出电子卡', 'Export e-cards'], cardList),
}
