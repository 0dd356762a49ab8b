import { BanCircle as Ban, Document, Tick, Time as Clock, Video } from '@blueprintjs/icons'
import type { ComponentType } from 'react'
import {
  liveStates,
  replayStates,
  type LiveState,
  type ReplayState,
} from '#src/areas/broadcast/broadcast.ts'
import { Badge, type ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import './content.css'
import './live.css'

const states: Record<LiveState, readonly [ToneName, ComponentType<{ size?: number }>]> = {
  draft: ['plain', Document],
  planned: ['info', Clock],
  living: ['good', Video],
  ended: ['plain', Tick],
  cancelled: ['bad', Ban],
}
const replays: Record<ReplayState, ToneName> = {
  none: 'plain',
  ready: 'info',
  published: 'good',
  hidden: 'warn',
}
export const RoomState = ({ of }: { of: LiveState }) => {
  const say = useSay()
  const [tone, icon] = states[of]
  return (
    <Badge tone={tone} icon={icon}>
      {say(liveStates[of])}
    </Badge>
  )
}
export const Replay = ({ of }: { of: ReplayState }) => {
  const say = useSay()
  return (
    <Badge tone={replays[of]} {...(of === 'published' ? { icon: Tick } : {})}>
      {say(replayStates[of])}
    </Badge>
  )
}
