// Loaded into a server that a bench has started: tells that bench, when asked, what only the
// process itself can measure.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const turns = monitorEventLoopDelay({ resolution: 5 })
process.on('message', asked => {
  if (asked === 'watch') {
    turns.reset()
    turns.enable()
  }
  process.send({ rss: process.memoryUsage().rss, held_ms: turns.percentile(99) / 1e6 })
})
// A bench that was killed ends nothing: its server goes by itself.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// The bench's end of the channel must not keep a server alive that wants to end.
process.channel.unref()
