import './server/clock.ts'
import { bulksDetailServer, bulksServer } from './server/bulks.ts'

export default [bulksServer, bulksDetailServer]
