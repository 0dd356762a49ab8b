export type CorpDepartment = {
  dept_id: number
  parent: number | null
  name: string
  sort: number
  /** Which of the corp's malls it serves, in their order; undefined: headquarters. */
  mall?: number
  seats: number
  /** It is gone from WeCom, and kept here. */
  is_gone?: true
}

const under =
  (parent: number) =>
  (of: [number, string, number?], at: number): CorpDepartment => ({
    dept_id: of[0],
    parent,
    name: of[1],
    sort: 1000 - at * 10,
    seats: of[2] ?? 0,
  })
/** 26 departments on three levels: headquarters, five malls with three desks each, one that is gone. */
export const corpDepartments = (malls: readonly string[]): CorpDepartment[] => [
  { dept_id: 1, parent: null, name: '商场运营总公司', sort: 1000, seats: 0 },
  ...(
    [
      [2, '会员运营中心', 2],
      [3, '市场部', 2],
    ] as [number, string, number][]
  ).map(under(1)),
  ...(
    [
      [4, '会员服务组', 4],
      [5, '社群运营组', 4],
    ] as [number, string, number][]
  ).map(under(2)),
  { dept_id: 6, parent: 3, name: '城南快闪店', sort: 10, seats: 0, is_gone: true },
  ...malls.flatMap((mall, at) => {
    const own = 10 + at * 10
    const desks = [
      [own + 1, '会员服务台', 3],
      [own + 2, '导购一组', 4],
      [own + 3, '导购二组', 3],
    ]
    return [
      { dept_id: own, parent: 1, name: mall, sort: 900 - at * 10, seats: 0, mall: at },
      ...(desks as [number, string, number][]).map(under(own)).map(one => ({ ...one, mall: at })),
    ]
  }),
]
export const positions = {
  house: ['会员运营经理', '社群运营', '客服专员', '市场专员'],
  shop: ['导购', '会员顾问', '服务台专员', '楼层主管'],
} as const

/** Groups of tags as members' leads keep them. */
export const tagGroups: readonly (readonly [name: string, tags: readonly string[]])[] = [
  [
    '客户来源',
    ['门店扫码', '小程序', '社群邀请', '老客介绍', '线下活动', '直播间', '短信召回', '异业合作'],
  ],
  ['会员等级', ['普通会员', '银卡', '金卡', '铂金', '钻石', '付费会员']],
  [
    '消费能力',
    ['百元以下', '百元至五百', '五百至两千', '两千以上', '高客单', '价格敏感', '只买折扣'],
  ],
  [
    '到店频次',
    [
      '每周到店',
      '每月到店',
      '季度到店',
      '半年未到',
      '一年未到',
      '工作日到店',
      '周末到店',
      '夜间到店',
    ],
  ],
  [
    '兴趣品类',
    [
      '餐饮',
      '亲子',
      '美妆',
      '服饰',
      '运动',
      '影院',
      '家居',
      '数码',
      '珠宝',
      '超市',
      '宠物',
      '图书',
    ],
  ],
  ['家庭情况', ['单身', '情侣', '已婚', '孕期', '有婴儿', '有学龄儿童', '三代同住', '养宠']],
  [
    '沟通偏好',
    ['可电话', '只发消息', '勿打扰', '爱看短视频', '要中文发票', '夜间联系', '早间联系', '不加群'],
  ],
  [
    '活动意向',
    ['会员日', '拼团', '抽奖', '亲子课堂', '试吃', '新品体验', '停车券', '积分兑换', '观影团'],
  ],
  [
    '服务状态',
    ['待回访', '投诉中', '已补偿', '重点维护', '疑似同行', '疑似羊毛', '员工亲友', '合作商户'],
  ],
]
