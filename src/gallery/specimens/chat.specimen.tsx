import { Chat } from '#src/kit/chat.tsx'
import type { Specimen } from '../specimen.ts'

const mini = {
  kind: 'miniprogram' as const,
  title: '会员中心',
  appid: 'wx0123456789abcdef',
  page: 'pages/index/index',
  key: '/icon.svg',
}
const link = {
  kind: 'link' as const,
  title: '本周活动一览',
  desc: '点开查看活动与停车优惠',
  url: 'https://m.mallet.example/events',
}
export const specimen: Specimen = {
  part: 'chat',
  title: ['客户看到的消息', 'A message as it is received'],
  states: [
    {
      name: ['文字与礼券', 'A text and a coupon'],
      draw: () => (
        <Chat
          who="李娜"
          text={'小鹿您好，我是李娜。\n到店、停车都可以问我。'}
          attachments={[]}
          after="随后到账：到店礼券"
        />
      ),
    },
    {
      name: ['附件', 'Attachments'],
      draw: () => (
        <Chat who="李娜" text="" attachments={[{ kind: 'image', key: '/icon.svg' }, link, mini]} />
      ),
    },
  ],
}
