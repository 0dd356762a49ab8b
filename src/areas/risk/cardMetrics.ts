/** What can be measured of e-cards: how they are bought, tried, bound and spent. */
export const cardMetrics = {
  cards_bought: {
    scenes: ['ecard'],
    unit: 'count',
    title: ['同一付款人购卡张数', 'Cards of one payer'],
    says: ['同一付款人在{w}内购卡达到 {n} 张', 'One payer buys {n} cards within {w}'],
  },
  card_night: {
    scenes: ['ecard'],
    unit: 'count',
    title: ['夜间购卡张数', 'Cards bought at night'],
    says: [
      '同一付款人在{w}内于 0–6 点购卡达到 {n} 张',
      'One payer buys {n} cards between 0:00 and 6:00 within {w}',
    ],
  },
  card_payers: {
    scenes: ['ecard'],
    unit: 'count',
    title: ['同一持卡人的付款人数', 'Payers of one holder'],
    says: [
      '同一持卡人在{w}内激活了 {n} 位付款人的卡',
      'One holder binds cards of {n} payers within {w}',
    ],
  },
  card_guesses: {
    scenes: ['ecard'],
    unit: 'count',
    title: ['同一 IP 输错卡密次数', 'Wrong secrets from one IP'],
    says: ['同一 IP 在{w}内输错卡密 {n} 次', 'One IP tries {n} wrong secrets within {w}'],
  },
  card_cashed: {
    scenes: ['ecard'],
    unit: 'count',
    title: ['即买即消费的卡数', 'Cards spent at once'],
    says: [
      '同一持卡人在{w}内有 {n} 张卡售出 1 小时内即被消费',
      'One holder spends {n} cards within an hour of their sale, within {w}',
    ],
  },
} as const
export type CardMetric = keyof typeof cardMetrics
export const isCardMetric = (metric: string): metric is CardMetric =>
  Object.hasOwn(cardMetrics, metric)
