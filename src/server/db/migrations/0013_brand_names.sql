DROP INDEX "brand_norm_name_once";--> statement-breakpoint
ALTER TABLE "brand" DROP COLUMN "norm_name";