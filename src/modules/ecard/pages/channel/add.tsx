import { useLocation } from 'wouter'
import { skipToken, useRead } from '#src/kit/data.ts'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { ecardChannels } from '../../contract/channel.ts'
import { DraftChannel, NewChannel, OpenChannel } from '../../parts/ChannelForm.tsx'

/** A new channel, or the channel of `edit/:id`. */
export default function ChannelFormPage() {
  const say = useSay()
  const [path] = useLocation()
  const [how, given] = path.split('/').slice(-2)
  const isOf = how === 'edit'
  const id = isOf ? Number(given) : 0
  const detail = useRead(ecardChannels.detail, id > 0 ? { id } : skipToken)
  if (detail.error && !detail.data) return <Failed error={detail.error} retry={detail.refetch} />
  if (!isOf) return <NewChannel />
  if (!(id > 0)) return <Empty title={say(['没有这个渠道', 'Channel not found'])} />
  const row = detail.currentData ?? detail.data
  if (row?.id !== id) return <Loading lines={16} />
  const Form = row.status === 'draft' ? DraftChannel : OpenChannel
  return <Form key={id} now={row} />
}
