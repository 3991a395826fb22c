/** Reads a batch of rows from a JSON parameter of a statement. */

/**
 * Always true for rows with a merchant_id, while the planner estimates that it leaves one row. The plan then looks up each row
 * by its key, even if it was made while the tables were small.
 */
export const ESTIMATED_AS_ONE_ROW = 'sign(length(merchant_id)) = 1';
