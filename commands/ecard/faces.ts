import { CARD_MONEY_MOST } from '#src/areas/ecard/card.ts'
import { faceCan, priceModes, type FaceVerb } from '#src/areas/ecard/face.ts'
import { cardFaces as calls, faceRow, type FaceRow } from '#src/modules/ecard/contract/attr.ts'
import { ask, to, type Me, type Told } from '../command.ts'
import { cardEdit, cardFaces } from '../pages/ecard.ts'
import {
  arrangeAction,
  asking,
  one,
  pageAction,
  reason,
  rowActions,
  type Arranged,
} from '../record.ts'

const row = rowActions(cardFaces, faceRow)
const can = (verb: FaceVerb) => (of: FaceRow, me: Me) => faceCan(verb, of, me.id)
const money = (label: readonly [string, string], min: number, hint?: readonly [string, string]) =>
  ask.money({
    label,
    min,
    max: CARD_MONEY_MOST,
    ...(min === 0 && { optional: true as const }),
    ...(hint && { hint }),
  })
/** What else goes with the last face that is on. */
const lastOn = ([of]: readonly FaceRow[]): Told | undefined =>
  of?.last_on
    ? [
        [
          '这是最后一个启用的面值，停用后该卡将下架；已售出的卡仍可使用',
          'This is the last active face value: disabling it takes the card off sale; sold cards stay usable',
        ],
        {},
      ]
    : undefined
/** Faces as they are arranged, with the card that they are of. */
export type FacesArranged = Arranged & { card_id: number }
/** The card whose faces the page shows stands in its address. */
export const newFace = {
  face_cents: money(['面值', 'Face'], 1),
  price_cents: money(['售价', 'Price'], 1),
  bonus_cents: money(['赠送金额', 'Bonus'], 0, ['仅储值卡', 'Stored value only']),
  cost_cents: money(['供货成本', 'Cost'], 0),
  reason: ask.text({
    label: ['原因', 'Reason'],
    max: 255,
    optional: true,
    hint: ['低于成本时必填，并须另一人批准', 'Required below cost; another person must approve'],
  }),
}

/** What is done with the faces of a card. */
export const faceActions = {
  add: pageAction('ecard.list.attr.new', ['新增面值', 'New face value'], cardFaces, {
    key: 'c',
    main: true,
    permit: calls.add.permit,
    asks: newFace,
  }),
  openGrid: pageAction('ecard.list.attr.openGrid', ['表格编辑', 'Edit in a grid'], cardFaces, {
    key: 'e',
    main: 'plain',
    permit: calls.saveGrid.permit,
  }),
  enable: row.row(calls.enable, ['启用', 'Enable'], { key: 'o', when: can('enable'), input: one }),
  disable: row.row(calls.disable, ['停用', 'Disable'], {
    key: 'p',
    danger: true,
    when: can('disable'),
    tells: lastOn,
    asks: { reason },
    input: ([of], asked) => ({ ...one([of!]), ...asked, takes_off: of!.last_on }),
  }),
  approveLoss: row.row(calls.approveLoss, ['批准亏损', 'Approve the loss'], {
    key: 'a',
    when: can('approveLoss'),
    input: one,
    takenBack: 'final',
  }),
  setStockAlert: row.row(calls.setStockAlert, ['设置库存预警', 'Set a stock alert'], {
    key: 't',
    asks: {
      threshold: ask.number({
        label: ['未售少于等于（张）', 'Unsold codes, at most'],
        min: 0,
        max: 1_000_000,
        initial: rows => rows[0]?.stock_alert,
        hint: ['0 为不预警；每天最多提醒一次', '0: no alert; at most one alert a day'],
      }),
    },
    input: asking(asked => asked),
  }),
  batchPrice: row.row('ecard.list.attr.newPrices', ['批量改价', 'Change prices'], {
    key: 'b',
    takes: 'rows',
    main: 'plain',
    permit: calls.batchPrice.permit,
    asks: {
      mode: ask.choice({
        label: ['方式', 'Method'],
        options: priceModes,
        initial: () => 'share' as const,
      }),
      percent: ask.number({
        label: ['面值的百分比', 'Percent of face value'],
        min: 1,
        max: 1000,
        places: 2,
        shown: of => of.mode === 'share',
        initial: () => 100,
      }),
      amount: ask.money({
        label: ['金额', 'Amount'],
        min: 1,
        max: CARD_MONEY_MOST,
        shown: of => of.mode !== 'share',
      }),
      reason,
    },
  }),
  sort: arrangeAction(
    calls.sort,
    ['调整排序', 'Arrange'],
    cardFaces,
    ({ card_id }: FacesArranged) => ({ card_id }),
  ),
  del: row.del(calls.del, ['删除面值', 'Delete face'], { when: can('delete') }),
  card: row.row('ecard.list.attr.card', ['编辑电子卡', 'Edit card'], {
    key: 'v',
    permit: cardEdit.permit,
    to: ([of]) => to(cardEdit, { id: of!.card_id }),
  }),
}
