import { z } from 'zod'
import { id } from '#src/contract/shapes.ts'
import { page, type Section } from '../command.ts'

export const section: Section = {
  key: 'ecard',
  title: '电子卡',
  en: 'E-cards',
  place: 57,
  icon: 'gift',
}

/** Codes of the card of `?card_id=`. */
export const cardCodes = page('/manage/ecard/list/code', '电子卡卡密库', 'E-card code stock', {
  object: 'ecard_code',
  menu: false,
  search: z.looseObject({ card_id: id }),
  follows: ({ type, id: of }) => (type === 'ecard' ? { card_id: of } : undefined),
  alias: ['卡密', '生成卡密', '导入卡密', '卡密批次', 'codes of an e-card'],
})
