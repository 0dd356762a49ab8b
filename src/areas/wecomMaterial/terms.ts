import type { Term } from '#src/areas/workbench/term.ts'

/** Words of this area that are not plain by themselves. */
export const terms: readonly Term[] = [
  {
    id: 'wecom_media',
    title: ['媒体凭证', 'File in WeCom'],
    at: '/manage/customer/material',
    means: [
      '企业微信为图片、视频和文件保存的副本，上传后 3 天有效；系统会在到期前自动刷新，刷新失败的素材发不出去。',
      'WeCom’s copy of a picture, video or file. It lives three days and is put there anew before it ends; a material whose file WeCom did not take can’t be sent.',
    ],
    asks: ['media_id', '临时素材', '素材过期'],
  },
  {
    id: 'material_orders',
    title: ['转化订单', 'Orders after a click'],
    at: '/manage/customer/material',
    means: [
      '客户点击素材链接后 7 天内付款的订单；同一订单只计一次。',
      'Orders that a customer paid within 7 days after opening the link of a material, each counted once.',
    ],
    asks: ['素材转化', '带来的订单', '点击率'],
  },
]
