ALTER TABLE "ledger_txn" ALTER COLUMN "memo" SET DATA TYPE varchar(512);--> statement-breakpoint
ALTER TABLE "ledger_txn" ALTER COLUMN "memo" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "vip_card_order" ALTER COLUMN "source" SET DATA TYPE varchar(255);--> statement-breakpoint
ALTER TABLE "vip_card_order" ALTER COLUMN "source" SET DEFAULT '';