/** How statements read a batch of rows out of a json parameter. */

/**
 * Always true of rows with a merchant_id, and the planner takes what it leaves for one row. So each row of a batch is
 * looked up by its key, also where the statement was planned while the tables were still small.
 */
export const TAKEN_FOR_ONE_ROW = 'sign(length(merchant_id)) = 1';
