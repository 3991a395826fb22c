<?php

/**
 * A shop that is paid by SPEI: order, account number, callback. Run it by `php -S 127.0.0.1:9000 sdk/recipes/php-shop.php`
 * with GATEWAY_URL, MERCHANT, API_KEY and ORDERS, a directory. In real life the directory is your database.
 */

declare(strict_types=1);

use PaymentGateway\Callback;
use PaymentGateway\Gateway;
use PaymentGateway\InvalidSignature;
use PaymentGateway\OutcomeUnknown;
use PaymentGateway\RequestRejected;

spl_autoload_register(static function (string $class): void {
    require __DIR__ . '/../php/src/' . str_replace('PaymentGateway\\', '', $class) . '.php';
});

const PRICES = ['tea' => '120.00', 'coffee' => '180.00'];

function answer(int $status, array|string $body): never
{
    http_response_code($status);
    header('Content-Type: ' . (is_array($body) ? 'application/json' : 'text/plain'));
    exit(is_array($body) ? json_encode($body) : $body);
}

/** Only ids of this shop become names of files. */
function orderFile(string $id): string
{
    return getenv('ORDERS') . '/' . (preg_match('/^shop-[0-9a-f]{16}$/D', $id) === 1 ? $id : 'none') . '.json';
}

/** Changes one order under a lock, so that two copies of a callback cannot both find it unpaid. */
function changeOrder(string $id, callable $change): ?array
{
    $file = is_file(orderFile($id)) ? fopen(orderFile($id), 'r+') : false;
    if ($file === false || !flock($file, LOCK_EX)) {
        return null;
    }
    $order = $change(json_decode((string) stream_get_contents($file), true));
    rewind($file);
    ftruncate($file, 0);
    fwrite($file, json_encode($order));
    fclose($file);
    return $order;
}

function placeOrder(string $product): never
{
    $price = PRICES[$product] ?? answer(404, 'no such product');
    $id = 'shop-' . bin2hex(random_bytes(8));
    // The order is stored before the gateway knows it: a callback may come before the response.
    file_put_contents(orderFile($id), json_encode(['id' => $id, 'product' => $product, 'price' => $price, 'state' => 'open', 'delivered' => 0]));
    try {
        $gateway = new Gateway(getenv('GATEWAY_URL'), getenv('MERCHANT'), getenv('API_KEY'));
        $deposit = $gateway->createDeposit($id, $price, 'customer-1', 'Anna', 'Example');
    } catch (OutcomeUnknown | RequestRejected) {
        // The customer has not seen its CLABE, so it cannot be paid. The customer orders again, with a new id.
        changeOrder($id, static fn (array $order) => ['state' => 'abandoned'] + $order);
        answer(503, 'please try again');
    }
    answer(201, ['order' => $id, 'clabe' => $deposit['clabe'], 'beneficiary' => $deposit['beneficiary'], 'amount' => $price]);
}

function receiveCallback(): never
{
    try {
        $callback = Callback::verify((string) file_get_contents('php://input'), getallheaders(), getenv('API_KEY'));
    } catch (InvalidSignature) {
        answer(400, 'invalid signature');
    }
    if ($callback->kind === 'deposit') {
        $fields = $callback->fields;
        changeOrder($fields['co_order_no'], static function (array $order) use ($fields): array {
            if ($order['state'] !== 'open') {
                return $order; // a duplicate
            }
            if ($fields['co_inv_st'] !== 'success') {
                return ['state' => 'expired'] + $order;
            }
            if ($fields['co_amount'] !== $order['price'] || $fields['co_cur'] !== 'MXN') {
                return ['state' => 'for a person: paid ' . $fields['co_amount']] + $order;
            }
            return ['state' => 'paid', 'delivered' => $order['delivered'] + 1] + $order;
        });
    }
    answer(200, 'OK'); // also to payments of others and to unknown events: they would come again
}

$path = (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
match (true) {
    $path === '/callback' => receiveCallback(),
    $path === '/orders' && $_SERVER['REQUEST_METHOD'] === 'POST' => placeOrder((string) ($_POST['product'] ?? '')),
    str_starts_with($path, '/orders/') => answer(200, changeOrder(substr($path, 8), static fn (array $order) => $order) ?? []),
    default => answer(404, 'not found'),
};
