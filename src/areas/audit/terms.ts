import type { Term } from '#src/areas/workbench/term.ts'

const audit = '/manage/audit/bulks'

/** Words of this area that are not plain by themselves. */
export const terms: readonly Term[] = [
  // Audit.
  {
    id: 'machine',
    title: ['机审', 'Flags'],
    at: audit,
    means: [
      '规则自动检查的结果：不可通过、须复审、机审标记、提醒。',
      'What the rules found by themselves: blocks, second audit, flags, notes.',
    ],
    asks: ['机审标记', '机审结果'],
  },
  {
    id: 'sla',
    title: ['等待', 'Waiting'],
    at: audit,
    means: [
      '从提交到现在的时间；带红色警告标志的已经超过承诺的处理时间。',
      'Since it was submitted; a red warning sign means later than promised.',
    ],
    asks: ['超时', '已超时'],
  },
  {
    id: 'submit_type',
    title: ['提交', 'Submit'],
    at: audit,
    means: [
      '新品、修改、重新上架或补充资料；后面的数字是第几轮。',
      'New, edit, back on sale, or more papers; the number is the round.',
    ],
  },
  {
    id: 'need_more',
    title: ['待补充', 'Needs more'],
    at: audit,
    means: [
      '等商户补充资料，补充后重新排队，轮次加一。',
      'Waits for the merchant’s papers, then queues again as another round.',
    ],
  },
  {
    id: 'withdrawn',
    title: ['已撤回', 'Withdrawn'],
    at: audit,
    means: [
      '商户自己收回了提交，不用处理。',
      'The merchant took the submission back: nothing to do.',
    ],
  },
  {
    id: 'claimer',
    title: ['领取人', 'Claimed by'],
    at: audit,
    means: [
      '正在处理这条的同事；别人此时不能决定。',
      'The colleague who has it now; nobody else can decide it.',
    ],
  },
  {
    id: 'licence',
    title: ['营业执照', 'Licence'],
    at: audit,
    means: [
      '商户的经营证照；过期不能售卖，30 天内到期会提醒。',
      'The merchant’s licence: nothing is sold without a valid one; its end is pointed out 30 days before.',
    ],
    asks: ['资质'],
  },
  {
    id: 'prepaid',
    title: ['超预付限额', 'Over prepaid limit'],
    at: '/manage/audit/card',
    means: [
      '次卡总额超过预付卡规定的上限，需要复审。',
      'A card worth more than prepaid rules allow at once: a second person must approve.',
    ],
  },
  {
    id: 'look',
    title: ['抽检', 'Second look'],
    at: audit,
    means: [
      '系统随机抽已完成的审核，由另一个人独立再判断一次，用来看两人是否一致。',
      'Decisions drawn at random and judged anew by another person, to see how far people agree.',
    ],
    asks: ['质检', '双盲'],
  },
]
